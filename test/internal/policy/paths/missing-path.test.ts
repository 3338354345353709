// Errors and suggestions for missing paths.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { describeMissing } from '../../../../internal/policy/paths/missing-path.ts'
import { resolvePath } from '../../../../internal/policy/paths/path-jail.ts'

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'anode-missing-')))
mkdirSync(join(workspace, 'source'))
writeFileSync(join(workspace, 'source/alpha.ts'), '')
symlinkSync('gone/away', join(workspace, 'broken'))
afterAll(() => rmSync(workspace, { recursive: true, force: true }))

test.each([
  ['source/alpa.ts', 'source/alpa.ts does not exist', 'did you mean source/alpha.ts?'],
  ['sourc/alpha.ts', 'sourc/alpha.ts does not exist', 'did you mean source?'],
  ['broken', 'broken is a link to gone/away, which does not exist', undefined],
  ['nothing/like/it', 'nothing/like/it does not exist', undefined],
])('%s', (path, message, hint) => {
  const place = resolvePath(workspace, { workspace, added: [], protected: [] }, path)
  expect(describeMissing(place)).toEqual({ code: 'not_found', message, ...(hint && { hint }) })
  expect(describeMissing(place, 'Look for it.').hint).toBe(hint ?? 'Look for it.')
})
