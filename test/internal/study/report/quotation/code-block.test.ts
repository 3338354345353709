// Checks that code of a quote keeps its indentation, although the quote is trimmed at its start.
import { expect, it } from 'vitest'
import { codeBlock } from '../../../../../internal/study/report/quotation/code-block.ts'

/** Units of code. `>` is one step of indentation. */
const units = [
  'def f(a):\n>return a',
  'def f(a):\n>if a:\n>>return a\n>return 0',
  'call({\n>limit: 3,\n})',
  'call({\n>retry: {\n>>limit: 3,\n>},\n})',
  'if (a) {\n>b()\n} else {\n>c()\n}',
  'a = 1\nb = 2',
  'for a in b:\n\n>c(a)',
]

it.each(['  ', '    ', '\t'])('indented by %j, at any depth', (step) => {
  const wrong = units.flatMap((unit) => {
    const text = unit.replaceAll('>', step)
    // Four spaces without a deeper line are read as one step of four, not as two steps of two.
    const depths =
      step === '  ' && !unit.includes('>>') && /[:{(]$/.test(unit.split('\n')[0] ?? '') ? [0] : [0, 1, 2]
    return depths.flatMap((depth) => {
      const inFile = text.replace(/^(?=.)/gm, step.repeat(depth))
      const shown = codeBlock(inFile.trim().split('\n'), { isBeginning: true }).text
      return shown === text ? [] : [{ depth, text, shown }]
    })
  })
  expect(wrong).toEqual([])
})
