// The SQLite store keeps the contract; then what is its own: place, permissions, damage, reading only.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
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
import type { Thread, ThreadEntry } from '../../../internal/store/store.ts'
import { sqliteEngines } from '../../support/sqlite-engines.ts'
import { storeContract } from './contract.ts'
import { says } from './thread/contract.ts'

for (const engine of sqliteEngines())
  storeContract(`sqlite of ${engine}`, (dir, now) => openStore(dir, { now, engine }))

for (const engine of sqliteEngines())
  test(`no text of a deleted thread stays in a file of the database of ${engine}`, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'anode-deleted-'))
    const store = await openStore(dir, { engine })
    const add = (word: string, count: number) => {
      const title = `${word} trees`
      const { id } = store.threads.create({ workspace: '/w', title, profile: 'craft', model: 'm' })
      const texts = Array.from({ length: count }, (_, i) =>
        says(`${word} tree ${i} ${'pad '.repeat(i % 90)}`),
      )
      store.threads.append(id, 'r', texts)
      return id
    }
    const countIn = (word: string) =>
      readdirSync(dir)
        .filter((name) => statSync(join(dir, name)).isFile())
        .map((name) => readFileSync(join(dir, name), 'latin1').split(word).length - 1)
        .reduce((sum, count) => sum + count, 0)
    add('medlar', 10)
    const gone = add('kumquat', 450)
    add('medlar', 10)
    expect(countIn('kumquat tree')).toBeGreaterThan(0)
    store.threads.delete(gone)
    expect(countIn('kumquat tree')).toBe(0)
    expect(countIn('medlar tree')).toBeGreaterThan(0)
    store.close()
    expect(countIn('kumquat tree')).toBe(0)
    rmSync(dir, { recursive: true, force: true })
  })

test('a deletion does not wait long for another process that reads', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'anode-deleted-'))
  const store = await openStore(dir)
  const { id } = store.threads.create({ workspace: '/w', title: 't', profile: 'craft', model: 'm' })
  const reader = await openDatabase(dir, { readOnly: true })
  reader.exec('BEGIN')
  reader.get('SELECT count(*) FROM thread')
  const began = Date.now()
  store.threads.delete(id)
  expect(Date.now() - began).toBeLessThan(10_000)
  expect(store.threads.get(id)).toBeUndefined()
  reader.exec('COMMIT')
  reader.close()
  store.close()
  rmSync(dir, { recursive: true, force: true })
})

describe('texts of deleted threads', () => {
  const hour = 3_600_000
  const stored = (text: string) => createHash('sha256').update(text).digest('hex')
  const result = (whole: string): ThreadEntry => ({
    type: 'tool.result',
    payload: { call: 'c', tool: 'bash', ok: true, text: 'cut', whole },
  })

  test.each([
    { name: 'young texts', age: 0, atDeletion: [true, true, true], later: [false, true, true] },
    { name: 'old texts', age: 2 * hour, atDeletion: [false, true, true], later: [false, true, true] },
  ])('$name are removed when a store is opened an hour later', async ({ age, atDeletion, later }) => {
    const dir = mkdtempSync(join(tmpdir(), 'anode-left-blobs-'))
    let time = Date.now()
    const open = () => openStore(dir, { now: () => time })
    // only of the deleted thread, of another thread too, of no thread
    const texts = ['only here', 'here and there', 'not deleted']
    const kept = async () => {
      const store = await open()
      const there = texts.map((text) => store.blobs.get(stored(text)) !== undefined)
      store.close()
      return there
    }
    try {
      const store = await open()
      const [deleted = '', other = ''] = ['a', 'b'].map(
        (title) => store.threads.create({ workspace: '/w', title, profile: 'p' }).id,
      )
      const [one = '', both = '', third = ''] = texts.map((text) => store.blobs.put(Buffer.from(text)))
      store.threads.append(deleted, 'r', [result(one), result(both)])
      store.threads.append(other, 'r', [result(both), result(third)])
      time += age
      store.threads.delete(deleted)
      store.close()
      expect(await kept()).toEqual(atDeletion)
      time += hour - 1000
      expect(await kept()).toEqual(atDeletion)
      time += 2000
      expect(await kept()).toEqual(later)
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })

  test('a text that was put again after the deletion stays, and the store opens', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'anode-left-blobs-'))
    let time = Date.now()
    try {
      const store = await openStore(dir, { now: () => time })
      const [{ id: first }, { id: second }] = [0, 1].map(() =>
        store.threads.create({ workspace: '/w', title: 't', profile: 'p' }),
      ) as [Thread, Thread]
      const hash = store.blobs.put(Buffer.from('again'))
      store.threads.append(first, 'r', [result(hash)])
      store.threads.delete(first)
      time += hour - 1000
      store.blobs.put(Buffer.from('again'))
      store.close()
      time += 2000
      const later = await openStore(dir, { now: () => time })
      later.threads.append(second, 'r', [result(hash)])
      later.close()
      time += 2 * hour
      const last = await openStore(dir, { now: () => time })
      expect(String(last.blobs.get(hash))).toBe('again')
      last.threads.delete(second)
      expect(last.blobs.get(hash)).toBeUndefined()
      last.close()
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })
})

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
