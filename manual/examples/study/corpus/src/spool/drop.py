"""Makes room in the spool when it is full."""

from quillon.metrics import counter

dropped = counter("spool_dropped_total")


def make_room(db, wanted):
    """Deletes the oldest frames until `wanted` bytes are free; returns how many went."""
    count = 0
    while db.free() < wanted:
        db.execute("DELETE FROM frame WHERE id = (SELECT min(id) FROM frame)")
        count += 1
    dropped.add(count)
    return count
