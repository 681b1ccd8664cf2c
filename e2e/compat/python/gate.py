"""A way to a server that counts what clients send, and can be shut when so much has passed."""

from __future__ import annotations

import socket
import threading

PIECE = 256 * 1024

# What a killed client had handed to the kernel arrives, and counts, after it died; unasked a system may hold 32 MiB.
ON_THE_WAY = 1024 * 1024


class Gate:
    """Forwards TCP from a port of its own to the `target` port, which may come and go."""

    def __init__(self) -> None:
        self.target = 0
        self.sent = 0
        self.held = threading.Event()
        self._hold_at: int | None = None
        self._open = threading.Event()
        self._open.set()
        self._count = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, ON_THE_WAY)
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def hold_after(self, count: int) -> None:
        """Sets `held` once clients have sent so many bytes from now on, and lets nothing more pass until `release`."""
        self.held.clear()
        self._hold_at = self.sent + count

    def release(self) -> None:
        self._hold_at = None
        self._open.set()

    def close(self) -> None:
        self.release()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        try:
            server = socket.create_connection(("127.0.0.1", self.target))
        except OSError:
            client.close()
            return
        back = threading.Thread(target=self._copy, args=(server, client, False), daemon=True)
        back.start()
        self._copy(client, server, True)
        back.join()
        client.close()
        server.close()

    def _copy(self, source: socket.socket, sink: socket.socket, is_counted: bool) -> None:
        try:
            while piece := source.recv(PIECE):
                if is_counted:
                    self._pass(len(piece))
                sink.sendall(piece)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            for end in (source, sink):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue

    def _pass(self, size: int) -> None:
        with self._count:
            self.sent += size
            if self._hold_at is not None and self.sent >= self._hold_at:
                self._open.clear()
                self.held.set()
        self._open.wait()
