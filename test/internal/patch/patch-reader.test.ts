// Telling the two formats apart, also inside of a code block.
import { expect, it } from 'vitest'
import { readPatch, stripFence } from '../../../internal/patch/patch-reader.ts'

const diff = '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n'
const envelope = '*** Begin Patch\n*** Delete File: g\n*** End Patch'

it.each([
  [diff, 'f'],
  [envelope, 'g'],
  [`\`\`\`diff\n${diff}\`\`\`\n`, 'f'],
  [`\n\`\`\`\n${envelope}\n\`\`\``, 'g'],
])('%j', (text, path) => {
  expect(readPatch(text).map((file) => file.path)).toEqual([path])
})

it('leaves code blocks inside of a patch alone', () => {
  const inner = '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-```\n+```js\n'
  expect(stripFence(inner)).toBe(inner)
})
