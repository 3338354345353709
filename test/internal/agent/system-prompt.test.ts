// The note on sandbox, mode and user: only what is true of a run.
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, it } from 'vitest'
import { describeEnvironment } from '../../../internal/agent/system-prompt.ts'
import { modes } from '../../../internal/policy/level.ts'

const rows = [true, false, undefined].flatMap((isSandboxed) =>
  [...modes, undefined].flatMap((mode) =>
    [true, false, undefined].flatMap((isUserPresent) =>
      [true, false].map((canRequest) => ({ isSandboxed, mode, isUserPresent, canRequest })),
    ),
  ),
)

it.each(rows)('%j', ({ isSandboxed, mode, isUserPresent, canRequest }) => {
  const note = describeEnvironment({
    ...(isSandboxed !== undefined && { isSandboxed }),
    ...(mode && { mode }),
    ...(isUserPresent !== undefined && { isUserPresent }),
    canRequest,
  })
  expect(note.includes('in a sandbox')).toBe(isSandboxed === true)
  expect(note.includes('without a sandbox')).toBe(isSandboxed === false)
  const isAnswered = isUserPresent !== false || mode === 'unrestricted'
  expect(note.includes('`needs`')).toBe(isSandboxed === true && isAnswered && canRequest)
  expect(note.includes('Mode')).toBe(mode !== undefined)
  if (mode) expect(note).toContain(`Mode ${mode}`)
  const asks = mode !== undefined && mode !== 'unrestricted'
  expect(note.includes('No user is present')).toBe(asks && isUserPresent === false)
  expect(countTokens(note)).toBeLessThanOrEqual(110)
})
