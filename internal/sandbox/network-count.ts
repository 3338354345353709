// Count of the connections in a network namespace that the kernel refused. The count can be read even after
// the namespace has ended.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

interface NetworkCount {
  /**
   * Returns the number of connections and name lookups that the kernel refused; undefined while the kernel's
   * statistics files are not open.
   */
  read(): number | undefined
  /** Closes the kernel's statistics files. An open file would keep the namespace alive. */
  close(): void
}

/**
 * Milliseconds between two reads of the status file. After `maxReads` reads without an id, the
 * count stays unknown.
 */
const paceMs = 1
const maxReads = 300

/**
 * Returns the count for a new sandbox. It waits in the background until the sandbox has written the id of its
 * process to `statusFile`. Then it opens the kernel's statistics files of the namespace. These keep the
 * namespace alive, so the count can be read after the last process has ended.
 */
export function countRefusedConnections(statusFile: string): NetworkCount {
  let tables: number[] | undefined
  let reads = 0
  const look = () => {
    const pid = readPid(statusFile)
    if (pid !== undefined) tables = openTables(pid)
    else if (++reads < maxReads) timer = setTimeout(look, paceMs).unref()
  }
  let timer = setTimeout(look, paceMs).unref()
  return {
    read: () => tables?.reduce((sum, table) => sum + countIn(readTable(table)), 0),
    close() {
      clearTimeout(timer)
      for (const table of tables ?? []) closeSync(table)
      tables = undefined
    },
  }
}

/**
 * Returns the count for a command in a namespace that several commands share; `pid` is a process in it.
 * Connections before this call are not counted.
 */
export function countMoreRefused(pid: number): NetworkCount {
  const tables = openTables(String(pid))
  const count = () => tables?.reduce((sum, table) => sum + countIn(readTable(table)), 0)
  const before = count() ?? 0
  return {
    read() {
      const now = count()
      return now === undefined ? undefined : now - before
    },
    close() {
      for (const table of tables ?? []) closeSync(table)
    },
  }
}

function readPid(statusFile: string): string | undefined {
  try {
    return /"child-pid": (\d+)/.exec(readFileSync(statusFile, 'utf8'))?.[1]
  } catch {
    // The start failed and its status file was removed, so nothing can be counted.
    return undefined
  }
}

function openTables(pid: string): number[] | undefined {
  const tables: number[] = []
  try {
    for (const name of ['snmp', 'snmp6']) tables.push(openSync(`/proc/${pid}/net/${name}`, 'r'))
    return tables
  } catch {
    // The command ended before all statistics files were open. A kernel without IPv6 still has the first one.
    return tables.length > 0 ? tables : undefined
  }
}

function readTable(table: number): string {
  const bytes = Buffer.alloc(32_768)
  let size = 0
  for (let part = -1; part !== 0 && size < bytes.length; size += part)
    part = readSync(table, bytes, size, bytes.length - size, size)
  return bytes.toString('latin1', 0, size)
}

/**
 * Returns the number of refused connections in a statistics file of the kernel. `OutNoRoutes` counts
 * connections to addresses outside a closed network. `NoPorts` counts lookups at a name server of this
 * machine, which the closed network does not contain.
 */
function countIn(text: string): number {
  const rows = text.split('\n').map((line) => line.split(/\s+/))
  let sum = 0
  for (const [i, row] of rows.entries()) {
    if (row[0] === 'Ip6OutNoRoutes') sum += Number(row[1])
    const names = rows[i - 1]
    if (!names || names[0] !== row[0] || !/^(?:Ip|Udp):$/.test(row[0] ?? '')) continue
    for (const name of ['OutNoRoutes', 'NoPorts']) sum += Number(row[names.indexOf(name)] ?? 0) || 0
  }
  return sum
}
