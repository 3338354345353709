// A real store in a new directory for every test, and a context whose tools store data in it.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { DatabaseConnection } from '../../internal/store/connection.ts'
import { openDatabase, openStore } from '../../internal/store/sqlite.ts'
import type { Store } from '../../internal/store/store.ts'
import type { Ctx } from '../../internal/tool/ctx.ts'
import { type CtxChanges, changeCtx, ctxWith } from './ctx.ts'

export interface Shelf {
  /** Real path. A separate workspace is in `<dir>/workspace`. */
  dir: string
  clock: { now: number }
  store: Store
  /** The tables of the store. */
  db: DatabaseConnection
  ctx(over?: CtxChanges): Ctx
}

/** Declares the hooks. Call it at the top of a test file or a `describe`. */
export function shelf(): Shelf {
  const it = {} as Shelf
  beforeEach(async () => {
    it.dir = realpathSync(mkdtempSync(join(tmpdir(), 'anode-shelf-')))
    it.clock = { now: 1_700_000_000_000 }
    const { clock } = it
    it.store = await openStore(it.dir, { now: () => clock.now })
    it.db = await openDatabase(it.dir)
    const base = ctxWith({ records: { store: async () => it.store } }, { cwd: join(it.dir, 'workspace') })
    it.ctx = (over = {}) => changeCtx(base, over)
  })
  afterEach(() => {
    it.store.close()
    it.db.close()
    rmSync(it.dir, { recursive: true, force: true })
  })
  return it
}
