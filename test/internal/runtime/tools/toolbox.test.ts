// Which toolbox directories are taken: of a workspace only those that trust covers, relative ones from no
// workspace.
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chooseToolboxDirs } from '../../../../internal/runtime/tools/toolbox.ts'
import type { WorkspaceContext } from '../../../../internal/runtime/workspace/workspace.ts'
import { scratch } from '../../../support/scratch.ts'

function at(named: { dirs?: string[]; from?: 'user' | 'workspace'; variable?: string; trusted?: boolean }) {
  const home = scratch()
  const workspace = join(home, 'ws')
  for (const dir of ['ws/tools', 'ws/.anode/tools', 'ws/.agents/tools', 'config/tools', 'elsewhere'])
    mkdirSync(join(home, dir), { recursive: true })
  symlinkSync(join(workspace, 'tools'), join(home, 'link'))
  symlinkSync(join(home, 'elsewhere'), join(workspace, '.anode', 'out'))
  const file =
    named.from === 'workspace' ? join(workspace, 'anode.json') : join(home, 'config', 'config.json')
  const dirs = named.dirs?.map((dir) => dir.replace('HOME', home))
  const around: WorkspaceContext = {
    workspace,
    data: join(home, 'data'),
    trusted: named.trusted ?? true,
    loaded: {
      config: { tools: { toolboxDirs: dirs } },
      origins: new Map([['tools.toolboxDirs', file]]),
      notes: [],
    },
    env: { ANODE_TOOLBOX: named.variable?.replaceAll('HOME', home) },
  }
  const chosen = chooseToolboxDirs(around)
  const short = (paths: readonly string[]) => paths.map((path) => path.replace(`${home}/`, ''))
  return { dirs: short(chosen.dirs), own: short(chosen.workspaceDirs), notes: chosen.notes.length }
}

const none = { dirs: [], own: [], notes: 1 }
const covered = { dirs: ['ws/.anode/tools'], own: ['ws/.anode/tools'], notes: 0 }

test.each<[string, Parameters<typeof at>[0], ReturnType<typeof at>]>([
  ['the workspace names a folder of its own', { dirs: ['tools'], from: 'workspace' }, none],
  ['… below .anode', { dirs: ['.anode/tools'], from: 'workspace' }, covered],
  ['… through ..', { dirs: ['.anode/../tools'], from: 'workspace' }, none],
  ['… through a link', { dirs: ['../link'], from: 'workspace' }, none],
  [
    'the user names one beside the configuration',
    { dirs: ['tools'] },
    { dirs: ['config/tools'], own: [], notes: 0 },
  ],
  ['… by its whole path', { dirs: ['HOME/elsewhere'] }, { dirs: ['elsewhere'], own: [], notes: 0 }],
  ['… by a link into the workspace', { dirs: ['HOME/link'] }, none],
  ['… in the workspace, untrusted', { dirs: ['HOME/ws/.anode/tools'], trusted: false }, none],
  ['… in the workspace, trusted', { dirs: ['HOME/ws/.anode/tools'] }, covered],
  ['the variable names a relative one', { variable: 'tools' }, none],
  ['… ., .. and nothing', { variable: '.::..' }, { ...none, notes: 2 }],
  [
    '… a whole path',
    { variable: 'HOME/elsewhere:HOME/ws/tools' },
    { dirs: ['elsewhere'], own: [], notes: 1 },
  ],
])('%s', (_, named, expected) => {
  expect(at(named)).toEqual(expected)
})
