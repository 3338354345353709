import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readWorkspaceConfig } from '../../../internal/research/workspace-config.ts'
import { plant, scratch } from '../../support/scratch.ts'

function read(files: Record<string, string>, executable: string[] = []) {
  const dir = scratch()
  plant(dir, files)
  for (const path of executable) chmodSync(join(dir, path), 0o755)
  return readWorkspaceConfig(dir)
}

describe('readConfig', () => {
  it('knows nothing of an empty workspace', () => expect(read({})).toEqual({}))

  it('takes the parameters of init_experiment', () => {
    const config = {
      name: 'x',
      primary_metric: 'ms',
      direction: 'lower',
      max_runs: 5,
      min_effect: 0.02,
      scope: ['a'],
    }
    const settings = {
      name: 'x',
      metric: 'ms',
      direction: 'lower',
      maxRuns: 5,
      minEffect: 0.02,
      scope: ['a'],
    }
    expect(read({ '.auto/config.json': JSON.stringify(config) })).toEqual(settings)
  })

  it('takes scripts as commands, through bash where they are not executable', () => {
    const files = { '.auto/measure.sh': '', '.auto/checks.sh': '' }
    expect(read(files, ['.auto/measure.sh'])).toEqual({
      command: './.auto/measure.sh',
      checks: 'bash .auto/checks.sh',
    })
  })

  it('prefers what the file says', () => {
    expect(read({ '.auto/measure.sh': '', '.auto/config.json': '{"command":"make bench"}' })).toEqual({
      command: 'make bench',
    })
  })

  it('reads the flat names of older workspaces', () => {
    const files = {
      'autoresearch.sh': '',
      'autoresearch.config.json': '{"maxIterations": 50, "workingDir": "."}',
    }
    expect(read(files)).toEqual({ command: 'bash autoresearch.sh', maxRuns: 50 })
    expect(read({ ...files, '.auto/measure.sh': '' })).toMatchObject({ command: 'bash .auto/measure.sh' })
  })

  it.each([
    ['{', /is not JSON/],
    ['{"metric":"ms"}', /unknown key metric/],
    ['{"scope":"a"}', /at scope/],
    ['{"gate":"loose"}', /at gate/],
  ])('rejects %s', (text, message) => expect(() => read({ '.auto/config.json': text })).toThrow(message))
})
