// The SQLite store keeps the contract; then what is its own: place, permissions, damage, reading only.
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { UserError } from '../../../internal/base/errors.ts'
import { defaultSqliteEngine, openDriver } from '../../../internal/store/connection.ts'
import { openDatabase, openStore } from '../../../internal/store/sqlite.ts'
import { sqliteEngines } from '../../support/sqlite-engines.ts'
import { storeContract } from './contract.ts'
import { says } from './thread/contract.ts'

for (const engine of sqliteEngines())
  storeContract(`sqlite of ${engine}`, (dir, now) => openStore(dir, { now, engine }))

describe('the database file', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'anode-sqlite-'))
  })
  afterEach(() => {
    chmodSync(dir, 0o700)
    rmSync(dir, { recursive: true, force: true })
  })
  const file = () => join(dir, 'data', 'anode.db')
  const data = () => join(dir, 'data')
  const filled = async () => {
    const store = await openStore(data())
    const { id } = store.threads.create({ workspace: '/w', title: 't', profile: 'p' })
    store.threads.append(
      id,
      'r',
      Array.from({ length: 300 }, (_, i) => says(`event ${i} ${'x'.repeat(500)}`)),
    )
    store.close()
    return id
  }
  /** Puts everything into the one file, as the end of the last process does. */
  const folded = async () => {
    const db = await openDatabase(data())
    db.get('PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
  }
  const refusal = async (work: () => Promise<unknown>) => {
    const error = await work().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(UserError)
    return error as UserError
  }

  test('is private, and so are its directory, log and blobs', async () => {
    const store = await openStore(data())
    store.blobs.put(Buffer.from('x'))
    store.todos.replace('t', [])
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
    expect([mode(data()), mode(file()), mode(`${file()}-wal`), mode(join(data(), 'blob'))]).toEqual([
      '700',
      '600',
      '600',
      '700',
    ])
    store.close()
  })

  test('is durable on commit and waits for other writers', async () => {
    const db = await openDatabase(data())
    const pragma = (name: string) => Object.values(db.get(`PRAGMA ${name}`) ?? {})[0]
    expect(['journal_mode', 'synchronous', 'busy_timeout', 'foreign_keys'].map(pragma)).toEqual([
      'wal',
      2,
      30_000,
      1,
    ])
    db.close()
  })

  test.each([
    ['garbage', () => writeFileSync(file(), 'no database at all, '.repeat(500))],
    ['cut short', () => truncateSync(file(), 40_960)],
    ['cut inside the first page', () => truncateSync(file(), 700)],
    [
      'overwritten in the middle',
      () => {
        const bytes = readFileSync(file())
        bytes.fill(0x5a, 4096, bytes.length)
        writeFileSync(file(), bytes)
      },
    ],
  ])('is left unchanged, and the error names it, if it is damaged (%s)', async (_, damage) => {
    const id = await filled()
    await folded()
    rmSync(`${file()}-wal`, { force: true })
    rmSync(`${file()}-shm`, { force: true })
    damage()
    const before = readFileSync(file())
    for (const readOnly of [false, true]) {
      const error = await refusal(async () => {
        const store = await openStore(data(), { readOnly })
        try {
          store.threads.events(id)
          store.threads.search('event', { limit: 5 })
        } finally {
          store.close()
        }
      })
      expect(error.message).toContain(file())
      expect(error.exit).toBe(2)
    }
    expect(Buffer.compare(readFileSync(file()), before)).toBe(0)
  })

  test('is rejected and unchanged if another program created it', async () => {
    const openFile = await openDriver(defaultSqliteEngine())
    await openStore(data()).then((store) => store.close())
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file()}${suffix}`, { force: true })
    const foreign = openFile(file(), 1000)
    foreign.exec('CREATE TABLE theirs (a)')
    foreign.close()
    expect((await refusal(() => openStore(data()))).message).toContain('another program')
  })

  test('is rejected if a newer Anode created it', async () => {
    const db = await openDatabase(data())
    db.exec('PRAGMA user_version = 99')
    db.close()
    expect((await refusal(() => openStore(data()))).message).toContain('newer')
  })

  test('cannot be created if another file has its name', async () => {
    writeFileSync(data(), 'a file')
    const error = await refusal(() => openStore(data()))
    expect(error.message).toContain(data())
    expect(error.hint).toContain('ANODE_DATA_DIR')
  })

  test('is neither created nor changed by a reader', async () => {
    const empty = await openStore(data(), { readOnly: true })
    expect(empty.threads.list({})).toEqual([])
    expect(empty.threads.search('x', { limit: 1 })).toEqual([])
    expect(() => empty.todos.replace('t', [])).toThrow(/written/)
    empty.close()
    expect(existsSync(data())).toBe(false)

    const id = await filled()
    const store = await openStore(data(), { readOnly: true })
    expect(store.threads.events(id, 0, 2)).toHaveLength(2)
    expect(store.mail.list({ scope: 's' })).toEqual([])
    expect(() => store.threads.rename(id, 'x')).toThrow(/written/)
    expect(() => store.threads.append(id, 'r', [says('x')])).toThrow(/written/)
    store.close()
  })

  test('can be opened for reading if its path needs quoting', async () => {
    const odd = join(dir, 'a b?c#d%20é')
    const store = await openStore(odd)
    store.todos.replace('t', [{ id: '1', content: 'x', status: 'pending' }])
    store.close()
    const reader = await openStore(odd, { readOnly: true })
    expect(reader.todos.read('t')).toHaveLength(1)
    reader.close()
  })
})
