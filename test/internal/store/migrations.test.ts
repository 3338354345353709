// Migrations: from every version to the newest, by many at once.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type DatabaseConnection,
  defaultSqliteEngine,
  openDriver,
  wrapConnection,
} from '../../../internal/store/connection.ts'
import { applicationId, migrateDatabase, migrationSteps } from '../../../internal/store/migrations.ts'

async function withDatabase(work: (open: () => DatabaseConnection) => void) {
  const openFile = await openDriver(defaultSqliteEngine())
  const dir = mkdtempSync(join(tmpdir(), 'anode-migrations-'))
  const file = join(dir, 'x.db')
  const opened: DatabaseConnection[] = []
  try {
    work(() => {
      const db = wrapConnection(openFile(file, 1000), file, true)
      opened.push(db)
      return db
    })
  } finally {
    for (const db of opened) db.close()
    rmSync(dir, { recursive: true, force: true })
  }
}
const schema = (db: DatabaseConnection) => db.all('SELECT name, sql FROM sqlite_schema ORDER BY name')
const version = (db: DatabaseConnection) =>
  db.get<{ user_version: number }>('PRAGMA user_version')?.user_version

test.each(migrationSteps.map((_, n) => n))(
  'upgrades a database from version %i to the latest version',
  async (from) => {
    await withDatabase((open) => {
      const db = open()
      if (from > 0) db.exec(`PRAGMA application_id = ${applicationId}`)
      for (const step of migrationSteps.slice(0, from)) db.exec(step)
      db.exec(`PRAGMA user_version = ${from}`)
      migrateDatabase(db)
      expect(version(db)).toBe(migrationSteps.length)
      const before = schema(db)
      migrateDatabase(open())
      expect(schema(db)).toEqual(before)
    })
  },
)

test('a failed migration step leaves the version unchanged', async () => {
  await withDatabase((open) => {
    const db = open()
    db.exec(`PRAGMA application_id = ${applicationId}; CREATE TABLE todo (in_the_way)`)
    expect(() => migrateDatabase(db)).toThrow()
    expect(version(db)).toBe(0)
    expect(schema(db)).toHaveLength(1)
  })
})

test('opening an old database for reading fails and does not change it', async () => {
  await withDatabase((open) => {
    const db = open()
    db.exec(`PRAGMA application_id = ${applicationId}; CREATE TABLE x (a)`)
    expect(() => migrateDatabase(db, true)).toThrow(/older/)
    expect(version(db)).toBe(0)
  })
})
