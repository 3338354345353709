// Open documents of a language server: the ones used longest ago are closed first.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openDocuments } from '../../../internal/lsp/open-documents.ts'
import { choice, rng } from '../../support/rng.ts'
import { scratch } from '../../support/scratch.ts'

test.each([1, 2, 3])('keeps the 100 documents used last, read again or changed (seed %i)', async (seed) => {
  const dir = scratch()
  const open = new Set<string>()
  const documents = openDocuments(async (method, params) => {
    const path = fileURLToPath((params as { textDocument: { uri: string } }).textDocument.uri)
    if (method === 'textDocument/didOpen') open.add(path)
    if (method === 'textDocument/didClose') open.delete(path)
  })
  const paths = Array.from({ length: 130 }, (_, i) => join(dir, `${i}.txt`))
  for (const path of paths) writeFileSync(path, 'a\n')
  const random = rng(seed)
  let used: string[] = []
  for (let step = 0; step < 600; step++) {
    const path = choice(random, paths)
    if (random() < 0.5) writeFileSync(path, `step ${step}\n`)
    await documents.sync(path, 'plaintext')
    used = [...used.filter((one) => one !== path), path].slice(-100)
    expect([...open].sort()).toEqual([...used].sort())
  }
})
