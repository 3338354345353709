// The secrecy of the holdout: its text appears in nothing that is shown or stored, despite all tricks
// of a candidate.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { renderPage } from '../../../../internal/research/report/html-page.ts'
import { buildOverview } from '../../../../internal/research/report/overview.ts'
import { resultLines } from '../../../../internal/research/report/result-lines.ts'
import type { SessionSettings } from '../../../../internal/research/settings.ts'
import { namedFiles } from '../../../../internal/research/workspace/holdout.ts'
import { lab, paired } from '../../../support/research.ts'
import { sampleRows } from '../../../support/sample.ts'
import { scratch } from '../../../support/scratch.ts'
import { quoteWord } from '../../../support/shell-word.ts'

vi.setConfig({ testTimeout: 120_000 })

const files = {
  'src/prog.sh': 'echo 100\n',
  '.auto/measure.sh': 'cost=$(bash src/prog.sh) || exit 3\necho "METRIC ms=$cost"\n',
  '.auto/hooks/after.sh': 'cat "$(dirname "$PWD")"/*/holdouts/* 2>/dev/null; true\n',
}

/** Ways to find the text, and ways to print it. */
const finds = {
  by_path:
    'cat ../../holdout ../../../holdout ../../../../*/holdouts/* $DATA/holdouts/* ' +
    '$DATA/research/*/*/holdout $SCRIPT',
  in_processes: 'cat /proc/[0-9]*/cmdline | tr "\\0" "\\n"',
}

const prints = {
  stdout_of_a_failure: '{ FIND; } 1>&2; exit 3',
  stderr: '{ FIND; } >&2; echo 100',
  in_colours: 'FIND | sed "s/\\(.\\)/\\1\\x1b[0m/g" >&2; exit 3',
  as_metrics: 'FIND | while read -r l; do echo "METRIC x=$l"; echo "METRIC ms=$l" >&2; done; exit 0',
  line_by_line: 'FIND | while read -r l; do echo "found: $l !" >&2; done; exit 3',
}

const cases = Object.entries(finds).flatMap(([found, find]) =>
  Object.entries(prints).map(([printed, print]) => ({
    found,
    printed,
    program: print.replace('FIND', find),
  })),
)

it.each(
  sampleRows(
    cases.flatMap((one) => (['auto', 'off'] as const).map((isolate) => ({ ...one, isolate }))),
    3,
  ),
)('shows nothing of it: $found, $printed, isolate $isolate', async ({ program, isolate }) => {
  const at = lab(files)
  const script = join(scratch(), 'secret.sh')
  writeFileSync(script, '#!/bin/bash\nexpected="the quick brown answer"\ntest "$1" != never-so\n')
  const holdout = `bash ${quoteWord(script)} "$(bash "$ANODE_CANDIDATE"/src/prog.sh)" # eleven hidden words`
  const settings: SessionSettings = { ...paired, skipNullTest: true, scope: ['src'], isolate, holdout }
  const research = await at.open()
  await research.init(settings)
  await research.run()
  await research.log({ status: 'baseline' })
  at.put(
    'src/prog.sh',
    `IFS=$'\\n'\nDATA=${quoteWord(at.data)} SCRIPT=${quoteWord(script)}\n{ ${program}; } 2>&2\n`,
  )
  const ran = await research.run()
  const logged = await research.log({ status: ran.status === 'keep' ? 'discard' : ran.status })
  const state = await research.state()
  const view = buildOverview(state)
  const shown = JSON.stringify([
    ran,
    logged,
    resultLines(ran),
    at.told,
    state,
    view && renderPage(view, new Date()),
  ])
  const kept = everything(at.data).filter(
    ([path]) => !path.includes('/holdouts/') && !path.endsWith('patch.diff'),
  )
  for (const secret of ['quick brown answer', 'eleven hidden', 'never-so']) {
    expect(shown).not.toContain(secret)
    expect(kept.filter(([, text]) => text.includes(secret)).map(([path]) => path)).toEqual([])
    expect(at.read('.auto/log.jsonl')).not.toContain(secret)
  }
})

it('is stored outside of all sessions, readable for its owner alone', async () => {
  const at = lab(files)
  const research = await at.open()
  await research.init({ ...paired, skipNullTest: true, holdout: 'true # words' })
  const folder = join(at.data, 'holdouts')
  const [name = ''] = readdirSync(folder)
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

it('knows which words of a command are script files', async () => {
  const dir = scratch()
  writeFileSync(join(dir, 'a.sh'), 'x')
  expect(await namedFiles(`bash ${quoteWord(dir)}/a.sh /usr/bin/env $X`, '/workspace')).toEqual([
    join(dir, 'a.sh'),
  ])
  expect(await namedFiles(`bash ${quoteWord(dir)}/a.sh`, dir)).toEqual([])
})

function everything(dir: string): [string, string][] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry): [string, string][] => {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) return everything(path)
    return entry.isFile() ? [[path, readFileSync(path, 'utf8')]] : []
  })
}
