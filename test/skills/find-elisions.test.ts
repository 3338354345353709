// The script full_output_enforcement/scripts/find-elisions.mjs, which finds placeholders for omitted code,
// and nothing in complete code.
import { expect, test } from 'vitest'
import { runScript, scratch } from '../support/script.ts'

/** Runs the script once over all texts, each in a separate directory, and returns the kinds found in each. */
function kindsIn(cases: readonly (readonly [string, string, string?])[]): string[] {
  const files = Object.fromEntries(cases.map(([name, text], i) => [`${i}/${name}`, text]))
  const { code, out } = runScript(script, Object.keys(files), scratch(files))
  const lines = out.trim().split('\n')
  const hits = lines.length - 1
  expect(lines.at(-1)).toBe(`${cases.length} files, ${hits} places`)
  expect(code).toBe(hits > 0 ? 1 : 0)
  return cases.map(([name], i) =>
    lines.flatMap((line) => (line.startsWith(`${i}/${name}:`) ? [line.split(': ')[1]] : [])).join(' '),
  )
}

const script = 'full_output_enforcement/scripts/find-elisions.mjs'
// some words are joined at run time so that the project's search for placeholders does not find them here
const gaps = [
  ['a.ts', '// ... rest of the code', 'left out'],
  ['a.ts', '// remaining methods unchanged', 'left out'],
  ['a.ts', '  // existing code', 'left out'],
  ['a.ts', '  ...', 'left out'],
  ['a.py', '# same as above', 'left out'],
  ['a.html', '<!-- ... -->', 'left out'],
  ['a.ts', '// add your logic here', 'gap'],
  ['a.ts', `// ${'TO'}${'DO'}: validate`, 'gap'],
  ['a.ts', '// simplified version', 'gap'],
  ['a.ts', `throw new Error('not ${'implemented'}')`, 'not implemented'],
  ['a.py', '    raise NotImplementedError', 'not implemented'],
  ['a.rs', '    todo!()', 'not implemented'],
  ['a.ts', 'export function save(value) {}', 'empty'],
  ['a.py', 'def save(value): pass', 'empty'],
  ['a.env', 'KEY=YOUR_API_KEY', 'sample data'],
  ['a.md', '```sh\nls\n', 'cut off'],
  ['a.ts', 'const list = [', 'cut off'],
] as const
test('finds each form of it', () => {
  expect(kindsIn(gaps)).toEqual(gaps.map(([, , kind]) => kind))
})

const whole = [
  ['a.ts', 'const all = [...first, ...rest]\n'],
  ['a.ts', 'function f(...args) {\n  return args\n}\n'],
  ['a.ts', '// the rest stays in memory until it is read\nreturn value\n'],
  ['a.pyi', 'def f() -> int:\n    ...\n'],
  ['a.md', '```sh\nls\n```\n'],
] as const
test('finds nothing in complete code', () => {
  expect(kindsIn(whole)).toEqual(whole.map(() => ''))
})

test('reports wrong usage', () => {
  expect(runScript(script, [], scratch()).code).toBe(2)
  expect(runScript(script, ['none'], scratch()).code).toBe(2)
})
