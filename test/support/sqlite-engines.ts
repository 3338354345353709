// The SQLite engines that this Node can load: tests of the store run with each of them.
import { defaultSqliteEngine, type SqliteEngine } from '../../internal/store/connection.ts'

/** Returns the native module, which is installed in a clone, and before it the engine inside Node if it has one. */
export function sqliteEngines(): SqliteEngine[] {
  return [...new Set([defaultSqliteEngine(), 'addon' as const])]
}
