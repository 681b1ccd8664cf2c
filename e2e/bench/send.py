"""Sends a file to an HTTP address by sendfile(2): of the cores that the server shares, a sender must not take its part.

Prints what that took, from the connection to the answer: a JSON object with `seconds` and `cpu`.
"""

import json
import os
import resource
import socket
import sys
import time
import urllib.parse


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


path, address = sys.argv[1:]
url = urllib.parse.urlsplit(address)
begun, cpu_begun = time.monotonic(), cpu()
with open(path, "rb") as file, socket.create_connection((url.hostname, url.port)) as connection:
    # Other algorithms pace what they send by timers, for a network that is not there.
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b"reno")
    size = os.fstat(file.fileno()).st_size
    head = f"PUT {url.path}?{url.query} HTTP/1.1\r\nHost: {url.netloc}\r\nContent-Length: {size}\r\n"
    connection.sendall(f"{head}Connection: close\r\n\r\n".encode())
    connection.sendfile(file)
    answer = b""
    while piece := connection.recv(65536):
        answer += piece
taken = {"seconds": time.monotonic() - begun, "cpu": cpu() - cpu_begun}
if not answer.startswith(b"HTTP/1.1 200 "):
    sys.exit(answer.decode(errors="replace"))
print(json.dumps(taken))
