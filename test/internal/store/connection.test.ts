// Both SQLite engines: the same rows, errors and locks for the same statements.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  defaultSqliteEngine,
  openDriver,
  retryWhileBusy,
  type SqliteDriver,
  type SqlRow,
  wrapConnection,
} from '../../../internal/store/connection.ts'
import { readResultCode } from '../../../internal/store/sqlite-errors.ts'
import { sqliteEngines } from '../../support/sqlite-engines.ts'
import { shelf } from '../../support/store.ts'

/** Returns names and values. One engine returns blobs as Buffer, a kind of Uint8Array. */
const cellsOf = (row: SqlRow = {}) =>
  Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? new Uint8Array(value) : value,
  ])

describe.each(sqliteEngines())('%s', (engine) => {
  let dir: string
  let opened: SqliteDriver[]
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'anode-driver-'))
    opened = []
  })
  afterEach(() => {
    for (const db of opened) db.close()
    rmSync(dir, { recursive: true, force: true })
  })
  const open = async (name = join(dir, 'x.db'), timeoutMs = 50) => {
    const db = (await openDriver(engine))(name, timeoutMs)
    opened.push(db)
    return db
  }
  const codeOf = (work: () => unknown) => {
    try {
      work()
    } catch (error) {
      return readResultCode(error)
    }
    return 'no error'
  }

  test('a second close does nothing', async () => {
    const db = await open()
    db.close()
    expect(codeOf(() => db.close())).toBe('no error')
  })

  test.each([
    ['text', 'a "quoted" text ✓ \u{1f600}'],
    ['empty text', ''],
    ['long text', 'x'.repeat(100_000)],
    ['integer', 2 ** 53 - 1],
    ['negative', -7],
    ['fraction', 0.1],
    ['null', null],
    ['bytes', new Uint8Array([0, 1, 255])],
    ['empty bytes', new Uint8Array()],
  ])('returns %s as it was bound', async (_, value) => {
    const db = await open()
    db.exec('CREATE TABLE t (a)')
    const { changes, lastInsertRowid } = db.prepare('INSERT INTO t VALUES (?)').run([value])
    expect([Number(changes), Number(lastInsertRowid)]).toEqual([1, 1])
    const row = db.prepare('SELECT a FROM t').get([])
    expect(cellsOf(row)).toEqual([['a', value]])
    expect(db.prepare('SELECT a FROM t').all([]).map(cellsOf)).toEqual([[['a', value]]])
    expect(db.prepare('SELECT a FROM t WHERE 0').get([])).toBeUndefined()
  })

  test('replaces NUL in a text, because one engine ends the text there', async () => {
    const db = wrapConnection(await open(), 'x', true)
    expect(db.get('SELECT ? AS a', 'x\0y')).toEqual({ a: 'x\ufffdy' })
  })

  test('reports a lock, a full database, a text file, and a missing directory', async () => {
    const one = await open()
    const two = await open()
    one.exec('CREATE TABLE t (a); BEGIN IMMEDIATE')
    expect([one.isInTransaction(), two.isInTransaction()]).toEqual([true, false])
    expect(codeOf(() => two.exec('BEGIN IMMEDIATE'))).toMatch(/^SQLITE_BUSY/)
    one.exec('COMMIT; PRAGMA max_page_count = 3')
    const insert = one.prepare('INSERT INTO t VALUES (zeroblob(100000))')
    expect(codeOf(() => insert.run([]))).toBe('SQLITE_FULL')
    writeFileSync(join(dir, 'text'), 'some text, '.repeat(100))
    const foreign = await open(join(dir, 'text'))
    expect(codeOf(() => foreign.exec('CREATE TABLE t (a)'))).toBe('SQLITE_NOTADB')
    const openFile = await openDriver(engine)
    expect(codeOf(() => openFile(join(dir, 'missing/x.db'), 50))).toBe('SQLITE_CANTOPEN')
  })

  test('opens a URI for reading, and rejects writes to it', async () => {
    const db = await open()
    db.exec('CREATE TABLE t (a)')
    const reader = await open(`${pathToFileURL(join(dir, 'x.db')).href.replace('file://', 'file:')}?mode=ro`)
    expect(reader.prepare('SELECT count(*) AS n FROM t').get([])).toMatchObject({ n: 0 })
    expect(codeOf(() => reader.exec('INSERT INTO t VALUES (1)'))).toMatch(/^SQLITE_READONLY/)
  })

  test('searches with the tokenizer of threads', async () => {
    const db = await open()
    db.exec(
      "CREATE VIRTUAL TABLE f USING fts5 (a, content='', contentless_delete=1, tokenize='porter unicode61')",
    )
    const insert = db.prepare('INSERT INTO f (rowid, a) VALUES (?, ?)')
    for (const [id, text] of ['Running tests', 'Ärger im Büro', 'nothing'].entries()) insert.run([id, text])
    const find = (query: string) => db.prepare('SELECT rowid AS id FROM f WHERE f MATCH ?').all([query])
    expect(['run', 'buro', 'tested'].map((query) => find(query).map(({ id }) => id))).toEqual([[0], [1], [0]])
  })
})

test('files of one engine open with the other', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'anode-driver-'))
  try {
    for (const [i, engine] of [...sqliteEngines(), ...sqliteEngines()].entries()) {
      const db = (await openDriver(engine))(join(dir, 'x.db'), 50)
      db.exec('PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS t (a)')
      db.prepare('INSERT INTO t VALUES (?)').run([i])
      expect(db.prepare('SELECT count(*) AS n FROM t').get([])).toMatchObject({ n: i + 1 })
      db.close()
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

test('the engine inside Node is the default where it has a lock timeout', () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const has = major >= 24 || (major === 22 && minor >= 16)
  expect(defaultSqliteEngine()).toBe(has ? 'node' : 'addon')
})

const place = shelf()
const table = () => place.db.exec('CREATE TABLE x (a)')
const count = () => place.db.get<{ n: number }>('SELECT count(*) AS n FROM x')?.n

test('an error undoes the whole transaction, including nested transactions', () => {
  table()
  const work = () =>
    place.db.write(() => {
      place.db.run('INSERT INTO x VALUES (1)')
      place.db.write(() => place.db.run('INSERT INTO x VALUES (2)'))
      throw new Error('stop')
    })
  expect(work).toThrow('stop')
  expect(count()).toBe(0)
  place.db.write(() => place.db.run('INSERT INTO x VALUES (3)'))
  expect(count()).toBe(1)
})

test('a statement that returns rows does not keep the database locked', () => {
  table()
  place.db.all('INSERT INTO x VALUES (1), (2) RETURNING a')
  place.db.get('SELECT a FROM x')
  place.store.todos.replace('t', [{ id: '1', content: 'a', status: 'pending' } as never])
  expect(place.store.todos.read('t')).toMatchObject([{ content: 'a' }])
})

test('retries work while the database is busy, and throws other errors at once', () => {
  const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
  let tries = 0
  expect(
    retryWhileBusy(() => {
      if (++tries < 4) throw busy
      return 'done'
    }),
  ).toBe('done')
  expect(() =>
    retryWhileBusy(() => {
      throw busy
    }, 5),
  ).toThrow(busy)
  tries = 0
  expect(() =>
    retryWhileBusy(() => {
      tries++
      throw new Error('other')
    }),
  ).toThrow('other')
  expect(tries).toBe(1)
})
