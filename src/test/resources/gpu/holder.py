"""Holds stand-in GPU devices as a CUDA process holds real ones, until its standard input ends.

usage: holder.py [--map FILE]... [--map-only FILE]... [--open FILE]... [--log FILE]
                 [--truncate FILE] [--name NAME] [--title TITLE] [--user ID] [--setsid] [--ignore-term] [--tell-term] [--note TEXT]
                 [--orphan] [--times N | --zombie | --worker TITLE | --forking | --stop
                  | --run COMMAND...]

--map opens and maps a device, --open only opens it, --map-only closes it again. --log is appended to,
--truncate emptied and written to, as a shell does with >. --name is the name of the process. Prints its process id, or those of N children that hold
the same; --zombie prints that of a child that has ended; --run runs a command as its child.
--title does what setproctitle does: it overwrites the words and the environment of the process.
--user becomes that user. --tell-term prints "term" for each TERM and stays. --orphan does all in a
grandchild whose parent has ended. --worker holds in a child with that title and prints both process ids.
--forking starts children without end, each of which lives for half a second. --stop stops itself.
"""

import ctypes
import mmap
import os
import signal
import sys
import time

C = ctypes.CDLL(None, use_errno=True)
C.mmap.restype = ctypes.c_void_p
C.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]


def say(pid):
    print(pid, flush=True)


def retitle(title):
    with open("/proc/self/stat", encoding="utf-8") as stat:
        fields = stat.read().rsplit(") ", 1)[1].split()
    start, end = int(fields[45]), int(fields[48])
    text = title.encode() + bytes(1)
    ctypes.memset(start, 0, end - start)
    ctypes.memmove(start, text, min(len(text), end - start))
    C.prctl(15, title.encode(), 0, 0, 0)


def orphan():
    """Goes on in a grandchild whose parent has ended."""
    child = os.fork()
    if child > 0:
        os.waitpid(child, 0)
        sys.stdin.read()
        sys.exit(0)
    if os.fork() > 0:
        os._exit(0)
    while os.getppid() != 1:
        time.sleep(0.01)


def main():
    words = sys.argv[1:]
    kept = []
    times, zombie, command = 1, False, []
    title, worker, forking, stopped = "", "", False, False
    if "--orphan" in words:
        words.remove("--orphan")
        orphan()
    while words:
        word = words.pop(0)
        if word == "--map":
            kept.append(os.open(words.pop(0), os.O_RDONLY))
            kept.append(mmap.mmap(kept[-1], mmap.PAGESIZE, prot=mmap.PROT_READ))
        elif word == "--map-only":
            device = os.open(words.pop(0), os.O_RDONLY)
            C.mmap(None, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_PRIVATE, device, 0)
            os.close(device)
        elif word == "--open":
            kept.append(os.open(words.pop(0), os.O_RDONLY))
        elif word == "--log":
            kept.append(os.open(words.pop(0), os.O_WRONLY | os.O_APPEND))
        elif word == "--truncate":
            kept.append(os.open(words.pop(0), os.O_WRONLY | os.O_TRUNC))
        elif word == "--name":
            C.prctl(15, words.pop(0).encode(), 0, 0, 0)
        elif word == "--ignore-term":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        elif word == "--times":
            times = int(words.pop(0))
        elif word == "--zombie":
            zombie = True
        elif word == "--note":
            words.pop(0)
        elif word == "--title":
            title = words.pop(0)
        elif word == "--user":
            user = int(words.pop(0))
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
            C.prctl(4, 1, 0, 0, 0)
        elif word == "--setsid":
            os.setsid()
        elif word == "--tell-term":
            signal.signal(signal.SIGTERM, lambda number, frame: say("term"))
        elif word == "--worker":
            worker = words.pop(0)
        elif word == "--forking":
            forking = True
        elif word == "--stop":
            stopped = True
        elif word == "--run":
            command, words = words, []
        else:
            sys.exit("holder.py: what is " + word + "?")
    if worker:
        child = os.fork()
        if child == 0:
            retitle(worker)
            signal.pause()
        if not command:
            say(os.getpid())
            say(child)
    if title:
        retitle(title)
    if command:
        child = os.fork()
        if child == 0:
            os.execvp(command[0], command)
        sys.exit(os.waitpid(child, 0)[1] >> 8)
    if forking:
        say(os.getpid())
        while True:
            if os.fork() == 0:
                time.sleep(0.5)
                os._exit(0)
            time.sleep(0.1)
            try:
                while os.waitpid(-1, os.WNOHANG)[0] > 0:
                    pass
            except ChildProcessError:
                pass
    elif worker:
        pass
    elif stopped:
        say(os.getpid())
        os.kill(os.getpid(), signal.SIGSTOP)
    elif zombie:
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        say(child)
    elif times > 1:
        for _ in range(times):
            child = os.fork()
            if child == 0:
                signal.pause()
            say(child)
    else:
        say(os.getpid())
    sys.stdin.read()


main()
