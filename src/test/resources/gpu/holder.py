"""Holds stand-in GPU devices as a CUDA process holds real ones, until its standard input ends.

usage: holder.py [--map FILE]... [--map-only FILE]... [--open FILE]... [--log FILE] [--name NAME]
                 [--ignore-term] [--times N | --zombie | --run COMMAND...] [--note TEXT]

--map opens and maps a device, --open only opens it, --map-only closes it again. --log is open for
writing. --name is the name of the process. Prints its process id, or those of N children that hold
the same; --zombie prints that of a child that has ended; --run runs a command as its child.
"""

import ctypes
import mmap
import os
import signal
import sys

C = ctypes.CDLL(None, use_errno=True)
C.mmap.restype = ctypes.c_void_p
C.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]


def say(pid):
    print(pid, flush=True)


def main():
    words = sys.argv[1:]
    kept = []
    times, zombie, command = 1, False, []
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
        elif word == "--run":
            command, words = words, []
        else:
            sys.exit("holder.py: what is " + word + "?")
    if command:
        child = os.fork()
        if child == 0:
            os.execvp(command[0], command)
        sys.exit(os.waitpid(child, 0)[1] >> 8)
    if zombie:
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
