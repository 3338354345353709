// Documents stored for other processes: found by content, read anew where an entry is not whole.
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { fingerprint } from '../../../internal/base/fingerprint.ts'
import type { DocumentText } from '../../../internal/document/document-text.ts'
import { loadStoredDocument, storeDocument } from '../../../internal/document/stored-documents.ts'
import { mountDisk } from '../../support/disk.ts'
import { scratch } from '../../support/scratch.ts'

let folder = ''

beforeEach(() => {
  moveCache(scratch())
  process.env.ANODE_READER_VERSION = 'test'
  onTestFinished(() => {
    delete process.env.ANODE_READER_VERSION
    delete process.env.XDG_CACHE_HOME
  })
})

function moveCache(dir: string): void {
  process.env.XDG_CACHE_HOME = dir
  folder = join(dir, 'anode', 'documents')
}

const made = (text: string, more: Partial<DocumentText> = {}): DocumentText => ({
  kind: 'docx',
  blocks: [{ text, place: 'paragraph 1' }],
  sha256: fingerprint(text),
  size: text.length,
  ...more,
})
const entries = () => (existsSync(folder) ? readdirSync(folder) : [])
const onlyEntry = () => join(folder, entries()[0] ?? '')

test('loads a stored document with all its fields, readable only for its owner', () => {
  const document = made('The ship sails at 19:40.', { title: 'Times', date: '2024-01-02', notes: ['a note'] })
  storeDocument(document)
  expect(loadStoredDocument('docx', document.sha256)).toEqual(document)
  expect(statSync(onlyEntry()).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test.each<[what: string, version: string, kind: DocumentText['kind'], text: string]>([
  ['another reader', 'later', 'docx', 'x'],
  ['another kind', 'test', 'pptx', 'x'],
  ['other bytes', 'test', 'docx', 'y'],
  ['a program without a build', '', 'docx', 'x'],
])('%s does not find it', (_, version, kind, text) => {
  storeDocument(made('x'))
  process.env.ANODE_READER_VERSION = version
  expect(loadStoredDocument(kind, fingerprint(text))).toBeUndefined()
})

test.each<[what: string, damage: (path: string) => void]>([
  ['cut off', (path) => truncateSync(path, statSync(path).size - 3)],
  ['cut off in its first line', (path) => truncateSync(path, 10)],
  ['empty', (path) => truncateSync(path, 0)],
  ['longer', (path) => appendFileSync(path, ' ')],
  ['another text', (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('19:40', '18:40'))],
  ['no JSON', (path) => writeFileSync(path, 'ship\nship')],
  ['bytes', (path) => writeFileSync(path, Buffer.from([0, 255, 254, 10, 123]))],
])('an entry that is %s is removed, and stored anew', (_, damage) => {
  const document = made('The ship sails at 19:40.')
  storeDocument(document)
  damage(onlyEntry())
  expect(loadStoredDocument('docx', document.sha256)).toBeUndefined()
  expect(entries()).toEqual([])
  storeDocument(document)
  expect(loadStoredDocument('docx', document.sha256)).toEqual(document)
})

test.each<[what: string, document: DocumentText]>([
  ['a key', made(`key ${'AKIA'}${'ABCDEFGHIJKLMNOP'}`)],
  ['a password in a URL', made('postgres://me:secretword@db.example.org/x')],
  ['a part of a file', made('x', { cut: 'the first 3 of 9 pages' })],
  ['a small page', made('x', { kind: 'html' })],
])('%s is not stored', (_, document) => {
  storeDocument(document)
  expect(entries()).toEqual([])
})

test('a full disk stores nothing, leaves nothing behind, and causes no failure', (context) => {
  const disk = mountDisk(context, '0700')
  if (disk === undefined) return
  moveCache(disk)
  writeFileSync(join(disk, 'filler'), Buffer.alloc(900_000))
  const document = made('long '.repeat(100_000))
  storeDocument(document)
  expect(loadStoredDocument('docx', document.sha256)).toBeUndefined()
  expect(entries()).toEqual([])
})
