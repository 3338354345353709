// Migrations: from every version to the newest, by many at once.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Connection, connect } from '../../../internal/store/connection.ts'
import { applicationId, migrate, steps } from '../../../internal/store/migrations.ts'

async function withDatabase(work: (open: () => Connection) => void) {
  const { default: Database } = await import('libsql')
  const dir = mkdtempSync(join(tmpdir(), 'anode-migrations-'))
  const file = join(dir, 'x.db')
  const opened: Connection[] = []
  try {
    work(() => {
      const db = connect(new Database(file, { timeout: 1000 }), file, true)
      opened.push(db)
      return db
    })
  } finally {
    for (const db of opened) db.close()
    rmSync(dir, { recursive: true, force: true })
  }
}
const schema = (db: Connection) => db.all('SELECT name, sql FROM sqlite_schema ORDER BY name')
const version = (db: Connection) => db.get<{ user_version: number }>('PRAGMA user_version')?.user_version

test.each(steps.map((_, n) => n))('from version %i', async (from) => {
  await withDatabase((open) => {
    const db = open()
    if (from > 0) db.exec(`PRAGMA application_id = ${applicationId}`)
    for (const step of steps.slice(0, from)) db.exec(step)
    db.exec(`PRAGMA user_version = ${from}`)
    migrate(db)
    expect(version(db)).toBe(steps.length)
    const before = schema(db)
    migrate(open())
    expect(schema(db)).toEqual(before)
  })
})

test('a step that fails leaves the version as it was', async () => {
  await withDatabase((open) => {
    const db = open()
    db.exec(`PRAGMA application_id = ${applicationId}; CREATE TABLE todo (in_the_way)`)
    expect(() => migrate(db)).toThrow()
    expect(version(db)).toBe(0)
    expect(schema(db)).toHaveLength(1)
  })
})

test('an old database is not changed when it is open for reading', async () => {
  await withDatabase((open) => {
    const db = open()
    db.exec(`PRAGMA application_id = ${applicationId}; CREATE TABLE x (a)`)
    expect(() => migrate(db, true)).toThrow(/older/)
    expect(version(db)).toBe(0)
  })
})
