// Loading a module runs no function of the project: a start pays only for what its command does.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { world } from '../support/anode.ts'
import { root } from '../support/sources.ts'

/** Functions that only wrap or describe what a module exports. */
const definers = [
  'internal/base/once.ts',
  'internal/tool/field.ts',
  'internal/tool/tool.ts',
  'internal/toolset/conditions.ts',
  'internal/server/http/sent-once.ts',
  'internal/study/redis/lua-script.ts',
]

/** Modules that still compute something when they are loaded. The list may only shrink. */
const computing = [
  'cmd/anode/research/init.ts',
  'internal/cron/scheduler.ts',
  'internal/document/office/script-numbers.ts',
  'internal/document/office/word-formula.ts',
  'internal/lsp/config/lsp-config.ts',
  'internal/render/spec/props.ts',
  'internal/research/measure/isolation/isolation-script.ts',
  'internal/research/voice/trial-statement.ts',
  'internal/review/findings.ts',
  'internal/sandbox/seccomp-filter.ts',
  'internal/service/models/provider-keys.ts',
  'internal/study/redis/journal-scripts.ts',
  'internal/study/redis/mailbox.ts',
  'internal/toolset/sets/ah.ts',
  'internal/toolset/sets/hooman-files.ts',
  'internal/toolset/sets/hooman-search.ts',
  'internal/toolset/sets/hooman-session.ts',
  'internal/toolset/sets/researchharness-editor.ts',
  'internal/toolset/sets/researchharness-files.ts',
  'internal/toolset/sets/researchharness-rules.ts',
  'internal/toolset/sets/researchharness-session.ts',
  'internal/toolset/sets/swarmie.ts',
]

it('no module runs a function of the project when it is loaded', () => {
  const here = world()
  const walk = join(here.dir, 'walk.json')
  const words = ['--import', join(root, 'test/support/source-coverage.mjs'), 'test/support/load-modules.mjs']
  const failures = execFileSync(process.execPath, words, {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: here.dir, ANODE_WALK: walk },
  })
  const ran = JSON.parse(readFileSync(walk, 'utf8')) as Record<string, string[]>
  here.remove()
  expect(failures).toBe('')
  const files = Object.keys(ran).filter((file) => /^(?:cmd|internal)\//.test(file))
  const advice = files
    .map((file) => `${file} runs ${ran[file]?.join(', ')}: use once() of base/once.ts`)
    .join('\n')
  expect(files.filter((file) => !definers.includes(file)).sort(), advice).toEqual(computing)
})
