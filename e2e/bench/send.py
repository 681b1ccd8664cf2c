"""Sends a file to an HTTP address by sendfile(2): of the cores that the server shares, a sender must not take its part."""

import os
import socket
import sys
import urllib.parse

path, address = sys.argv[1:]
url = urllib.parse.urlsplit(address)
with open(path, "rb") as file, socket.create_connection((url.hostname, url.port)) as connection:
    size = os.fstat(file.fileno()).st_size
    head = f"PUT {url.path}?{url.query} HTTP/1.1\r\nHost: {url.netloc}\r\nContent-Length: {size}\r\n"
    connection.sendall(f"{head}Connection: close\r\n\r\n".encode())
    connection.sendfile(file)
    answer = b""
    while piece := connection.recv(65536):
        answer += piece
if not answer.startswith(b"HTTP/1.1 200 "):
    sys.exit(answer.decode(errors="replace"))
