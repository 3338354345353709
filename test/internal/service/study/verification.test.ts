import { expect, it } from 'vitest'
import { fingerprint } from '../../../../internal/base/fingerprint.ts'
import { checkStudy } from '../../../../internal/service/study/verification.ts'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { scratchWith } from '../../../support/scratch.ts'
import { claim, evidence, studyOf } from '../../../support/study.ts'

const text = 'The lock lasts 30 seconds.\n'

/** Returns a study whose claim quotes a file with the text `now`. */
function quoting(now: string) {
  const root = scratchWith({ 'a.md': now })
  const filed = evidence('E1.1', text.trim(), {
    canonical: 'a.md',
    locator: '1',
    sourceSha256: fingerprint(text),
  })
  const state = studyOf(
    [makeStudyEntry('evidence', filed), makeStudyEntry('claim', claim('C1.1', text.trim()))],
    { root },
  )
  const env = { HOME: root, PATH: process.env.PATH }
  return { state, options: { cwd: root, env, signal: new AbortController().signal, judge: 0 } }
}

it('checks the files of the study, and asks a model only on request', async () => {
  const { state, options } = quoting(text)
  expect(await checkStudy(state, options)).toEqual({
    support: 1,
    verdicts: [{ claim: 'C1.1', state: 'verified', verified: true, sourceChanged: false }],
    accuracy: 1,
    opinions: [],
    judge: undefined,
  })
  const changed = quoting('The lock lasts as long as it likes.\n')
  expect((await checkStudy(changed.state, changed.options)).verdicts[0]).toMatchObject({
    sourceChanged: true,
  })
})

it('accepts no opinion from rules', async () => {
  const { state, options } = quoting(text)
  const asked = checkStudy(state, { ...options, judge: 1, model: 'builtin/extract' })
  await expect(asked).rejects.toMatchObject({ message: 'builtin/extract cannot judge', exit: 2 })
})
