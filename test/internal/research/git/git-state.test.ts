// Settings in .git that change the files of a checkout: none of them changes the measured files.
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect, it, vi } from 'vitest'
import type { SessionSettings } from '../../../../internal/research/settings.ts'
import { type Lab, lab, noisyMeasure, paired, refusal } from '../../../support/research.ts'
import { sampleRows } from '../../../support/sample.ts'

vi.setConfig({ testTimeout: 120_000 })

const files = {
  'src/prog.sh': 'echo 100\n',
  '.auto/measure.sh': noisyMeasure,
}
const settings: SessionSettings = {
  ...paired,
  skipNullTest: true,
  ...(process.env.ANODE_FAULTS === undefined && { looks: [8] }),
  scope: ['src'],
  minEffect: 0.05,
}

const blobOf = (at: Lab, text: string) => {
  writeFileSync(join(at.dir, '.git', 'slow'), text)
  return at.git('hash-object', '-w', join(at.dir, '.git', 'slow')).trim()
}
const put = (at: Lab, path: string, text: string) => {
  const file = join(at.dir, '.git', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Each trick changes the best program, or could change it. */
const tricks: [string, (at: Lab) => void][] = [
  [
    'a replaced blob',
    (at) => at.git('replace', at.git('rev-parse', 'HEAD:src/prog.sh').trim(), blobOf(at, 'echo 200\n')),
  ],
  [
    'a replaced tree',
    (at) => {
      const tree = at.git('rev-parse', 'HEAD:src').trim()
      const row = `100644 blob ${blobOf(at, 'echo 200\n')}\tprog.sh\n`
      writeFileSync(join(at.dir, '.git', 'row'), row)
      const other = at.git('-c', 'alias.m=!git mktree < .git/row', 'm').trim()
      at.git('replace', tree, other)
    },
  ],
  [
    'an object whose bytes are others',
    (at) => {
      const id = at.git('rev-parse', 'HEAD:src/prog.sh').trim()
      const file = join(at.dir, '.git', 'objects', id.slice(0, 2), id.slice(2))
      chmodSync(file, 0o644)
      rmSync(file)
      const body = 'echo 200\n'
      writeFileSync(file, deflateSync(Buffer.from(`blob ${body.length}\0${body}`)))
    },
  ],
  ['attributes of the clone', (at) => put(at, 'info/attributes', 'src/prog.sh text eol=crlf\n')],
  ['grafts', (at) => put(at, 'info/grafts', `${at.git('rev-parse', 'HEAD').trim()}\n`)],
  ['other places of objects', (at) => put(at, 'objects/info/alternates', '/nonexistent\n')],
  ['line ends', (at) => at.git('config', 'core.autocrlf', 'true')],
  ['an attributes file elsewhere', (at) => at.git('config', 'core.attributesFile', '/tmp/none')],
  ['an included configuration', (at) => at.git('config', 'include.path', '/tmp/none')],
  ['a filter', (at) => at.git('config', 'filter.x.smudge', 'sed s/100/200/')],
  ['a sparse checkout', (at) => put(at, 'info/sparse-checkout', '/none\n')],
]

it.each(sampleRows(tricks, 6))('ends as a broken lock when a candidate adds %s', async (_, play) => {
  const at = lab(files)
  const research = await at.open()
  await research.init(settings)
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('src/prog.sh', 'echo 100 # the same\n')
  play(at)
  expect(await research.run()).toMatchObject({ status: 'crash', reason: 'lock_violation' })
  expect(await refusal(research.log({ status: 'keep' }))).toBe('failed_run_not_keepable')
})

it.each(sampleRows(tricks, 6))('detects %s that appears during the measurement', async (_, play) => {
  const at = lab(files)
  const research = await at.open({
    tell: (event) => {
      if (event.kind === 'pair' && event.n === 2) play(at)
    },
  })
  await research.init(settings)
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('src/prog.sh', 'echo 100 # the same\n')
  const ran = await research.run()
  const kept = ran.status === 'keep'
  expect(kept).toBe(false)
})

it('allows ordinary git commands of the user between runs', async () => {
  const at = lab({ ...files, 'other.txt': '' })
  const research = await at.open()
  await research.init(settings)
  await research.run()
  await research.log({ status: 'baseline' })
  at.put('other.txt', 'more\n')
  at.git('commit', '-qam', 'more')
  at.git('branch', 'side')
  at.git('config', 'user.name', 'B')
  at.git('remote', 'add', 'origin', 'https://example.org/x.git')
  at.git('gc', '-q')
  at.put('src/prog.sh', 'echo 50\n')
  expect(await research.run()).toMatchObject({ status: 'keep' })
})

it('measures a tree whose attributes change line ends', async () => {
  const at = lab({ ...files, '.gitattributes': '*.bat text eol=crlf\n', 'src/a.bat': 'x\n' })
  const research = await at.open()
  await research.init(settings)
  expect(await research.run()).toMatchObject({ status: 'baseline' })
  expect(readFileSync(join(at.dir, 'src/a.bat'), 'utf8')).toBe('x\n')
})
