// The line below a failure in a sandbox names what is closed and what opens it.
import { expect, test } from 'vitest'
import { sandboxHint } from '../../../../internal/base/text/sandbox-hint.ts'

test('the hint contains the program, what is closed, and how to open it', () => {
  const line = sandboxHint('the server', 'set read in "sandbox"')
  expect(line).toMatch(/^\[sandbox: the server .*HOME.*no host; to open more, set read in "sandbox"\]$/)
})
