// The user's data store, open during one command.
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { openStore } from '../../store/sqlite.ts'
import type { Store } from '../../store/store.ts'

/** Opens the store, creating it if necessary, and closes it when `use` has settled. */
export async function withDataStore<T>(
  env: EnvironmentVariables,
  use: (store: Store) => T | Promise<T>,
): Promise<T> {
  const store = await openStore(dataDir(env))
  try {
    return await use(store)
  } finally {
    store.close()
  }
}
