// The heartbeat of a study: how long a lease on a task lasts, and how often its holder prolongs it.

/** Milliseconds for which a lease holds without a heartbeat. */
export const leaseMs = 10_000

/** Milliseconds between two heartbeats: four of them may be lost within a lease. */
export const heartbeatMs = 2_000
