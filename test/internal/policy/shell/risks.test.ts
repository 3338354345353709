// The table of options that run or write.
import { expect, test } from 'vitest'
import { risks } from '../../../../internal/policy/shell/risks.ts'

test.each(Object.entries(risks))('%s says what may happen, and when', (_, entry) => {
  for (const risk of [entry].flat()) {
    expect(risk.why).not.toBe('')
    const conditions = [risk.short, risk.long, risk.word, risk.operands, risk.all]
    expect(conditions.some((one) => one !== undefined)).toBe(true)
  }
})
