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

const bodies: [string, string][] = [
  ['*** Delete File: g', 'g'],
  ['*** Add File: g\n+one', 'g'],
  ['*** Update File: g\n@@\n-a\n+b', 'g'],
  ['*** Delete File: g\n  *** Delete File: h', 'g h'],
  ['*** Add File: g\n+one\n\t*** Delete File: h', 'g h'],
  ['*** Update File: g\n@@\n *** Delete File: h\n-a\n+b', 'g'],
  ['*** Update File: g\n@@\n *** End Patch\n-a\n+b', 'g'],
]
const wraps: ((patch: string) => string)[] = [
  (patch) => patch,
  (patch) => `  ${patch}  `,
  (patch) => `\n\n${patch}\n\n`,
  (patch) =>
    patch.replace('*** Begin Patch', '*** Begin Patch  ').replace(/\*\*\* End Patch$/, '  *** End Patch'),
  (patch) => patch.replace(/^\*\*\* (\w+) File:/m, '  *** $1 File:'),
  (patch) => patch.replaceAll('\n', '\r\n'),
  (patch) => `\`\`\`\n${patch}\n\`\`\``,
  (patch) => `~~~patch\n${patch}\n~~~\n`,
  (patch) => `<<'EOF'\n${patch}\nEOF\n`,
  (patch) => `<<EOF\n${patch}\nEOF`,
  (patch) => `<<"EOF"\n${patch}\nEOF\n`,
  (patch) => `apply_patch <<'PATCH'\n${patch}\nPATCH\n`,
]
const wrapped = bodies.flatMap(([body, paths]) =>
  wraps.map((wrap) => [wrap(`*** Begin Patch\n${body}\n*** End Patch`), paths]),
)

it.each(wrapped)('reads %j', (text, paths) => {
  expect(
    readPatch(text as string)
      .map((file) => file.path)
      .join(' '),
  ).toBe(paths)
})

it('keeps code fences inside of a patch', () => {
  const inner = '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-```\n+```js\n'
  expect(stripFence(inner)).toBe(inner)
})
