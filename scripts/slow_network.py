"""A relay on loopback that holds every byte back for a while: a network with a round trip of twice that time, and with
all the bandwidth of loopback. For machines whose kernel has no netem."""

import collections
import selectors
import socket
import threading
import time

BLOCK = 1 << 18


class SlowNetwork:
    """Relays connections to a port of this machine; each direction is late by so many seconds. Counts the bytes."""

    def __init__(self, port, seconds):
        self.target = port
        self.seconds = seconds
        self.moved = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.open = True
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        self.open = False
        self.listener.close()

    def accept(self):
        while self.open:
            try:
                here, _ = self.listener.accept()
            except OSError:
                return
            there = socket.create_connection(("127.0.0.1", self.target))
            for end in (here, there):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.relay, args=(here, there), daemon=True).start()

    def relay(self, here, there):
        """Both directions of one connection: what comes is due later, and then goes out as the other end takes it."""
        ends = {here: there, there: here}
        late = {here: collections.deque(), there: collections.deque()}
        ready = {here: bytearray(), there: bytearray()}
        ended = set()
        with selectors.DefaultSelector() as selector:
            for end in ends:
                end.setblocking(False)
                selector.register(end, selectors.EVENT_READ)
            while len(ended) < 2 or any(late.values()) or any(ready.values()):
                due = min((queue[0][0] for queue in late.values() if queue), default=None)
                wait = None if due is None else max(0, due - time.monotonic())
                for key, events in selector.select(wait):
                    end = key.fileobj
                    if events & selectors.EVENT_READ:
                        self.take(end, late[ends[end]], ended)
                now = time.monotonic()
                for end in ends:
                    while late[end] and late[end][0][0] <= now:
                        ready[end] += late[end].popleft()[1]
                    if not self.give(end, ready[end]):
                        ended.update(ends)
                        late[here].clear(), late[there].clear()
                        ready[here].clear(), ready[there].clear()
                    self.register(selector, end, end not in ended, bool(ready[end]))
                if ended and not any(late.values()) and not any(ready.values()):
                    break
        here.close()
        there.close()

    def take(self, end, queue, ended):
        try:
            block = end.recv(BLOCK)
        except BlockingIOError:
            return
        except OSError:
            block = b""
        if block:
            self.moved += len(block)
            queue.append((time.monotonic() + self.seconds, block))
        else:
            ended.add(end)

    @staticmethod
    def give(end, bytes_ready):
        try:
            if bytes_ready:
                del bytes_ready[: end.send(bytes_ready)]
            return True
        except BlockingIOError:
            return True
        except OSError:
            return False

    @staticmethod
    def register(selector, end, reads, writes):
        events = (selectors.EVENT_READ if reads else 0) | (selectors.EVENT_WRITE if writes else 0)
        known = selector.get_map().get(end)
        if known and not events:
            selector.unregister(end)
        elif known and known.events != events:
            selector.modify(end, events)
        elif not known and events:
            selector.register(end, events)
