#!/usr/bin/env python3
# A plugin for Anode without any library: one tool that tells the time anywhere.
import json, sys
from datetime import datetime
from zoneinfo import ZoneInfo

TOOL = {
    "name": "now",
    "description": "Tells date and time in a time zone, such as Europe/Berlin.",
    "inputSchema": {"type": "object", "properties": {"zone": {"type": "string", "default": "UTC"}}},
    "level": "auto_read",
}

def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": 1, "name": "clock", "capabilities": {"tools": True}}
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        try:
            return {"text": datetime.now(ZoneInfo(params["arguments"]["zone"])).isoformat(timespec="minutes")}
        except Exception as error:
            return {"failed": f"no such zone: {error}"}

while True:
    length = 0
    while (line := sys.stdin.buffer.readline()).strip():
        name, _, value = line.decode().partition(":")
        length = int(value) if name.lower() == "content-length" else length
    if not line:
        break
    message = json.loads(sys.stdin.buffer.read(length))
    if "id" in message:
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"],
                           "result": answer(message["method"], message.get("params"))}).encode()
        sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        sys.stdout.buffer.flush()
