// Which directories of PATH may supply programs, by owner, permissions and the workspace they are in.
import { chmodSync, chownSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cleanProgramPath } from '../../../../internal/runtime/workspace/program-path.ts'
import { openWorkspaceTrust } from '../../../../internal/runtime/workspace/workspace-trust.ts'
import { scratch } from '../../../support/scratch.ts'

const isRoot = process.getuid?.() === 0

function place() {
  const base = scratch()
  const make = (path: string, mode = 0o755) => {
    const dir = join(base, path)
    mkdirSync(dir, { recursive: true })
    chmodSync(dir, mode)
    return dir
  }
  make('repo/.git')
  const cwd = make('repo/packages/app')
  const link = join(base, 'link')
  make('repo/tools')
  symlinkSync(join(base, 'repo/tools'), link)
  const env = { ANODE_DATA_DIR: join(base, 'data'), XDG_CONFIG_HOME: join(base, 'config') }
  return { base, make, cwd, link, env }
}

const bins = ['node_modules/.bin', 'bin', '.bin', 'tools', 'a/b/c', '.venv/bin', 'x y']

describe('PATH', () => {
  it('has no directory of an untrusted workspace, of the repository around it, or without a whole path', async () => {
    const { base, make, cwd, link, env } = place()
    const inside = ['repo', 'repo/packages', 'repo/packages/app'].flatMap((dir) =>
      bins.flatMap((bin) => {
        const path = make(`${dir}/${bin}`)
        return [path, `${path}/`, `${path}/../${bin.split('/').at(-1)}`, join(base, dir, `${bin}-missing`)]
      }),
    )
    const relative = ['', '.', '..', './bin', 'bin', 'node_modules/.bin', '../bin', '~/bin']
    const dropped = [...inside, ...relative, link, cwd, `${link}/.`]
    const kept = [make('own/bin'), make('own/group', 0o775), join(base, 'missing'), '/usr/bin']
    const set = { ...env, PATH: [...dropped, ...kept].join(':') }
    expect((await cleanProgramPath(set, cwd)).map(({ path }) => path)).toEqual(dropped)
    expect(set.PATH.split(':')).toEqual(kept)
    expect(dropped.length).toBeGreaterThan(90)
  })

  it('has the directories of a trusted workspace', async () => {
    const { make, cwd, env } = place()
    await openWorkspaceTrust(cwd, env).grant(undefined)
    const set = { ...env, PATH: make('repo/packages/app/bin') }
    expect(await cleanProgramPath(set, cwd)).toEqual([])
  })

  it('has no directory that everybody can write to, below one, or of another user', async () => {
    const { base, make, cwd, env } = place()
    const open = [0o777, 0o1777, 0o757, 0o703, 0o2777].map((mode, i) => make(`open${i}`, mode))
    make('wide/bin')
    chmodSync(join(base, 'wide'), 0o777)
    const dropped = [...open, join(base, 'wide/bin')]
    if (isRoot) {
      for (const name of ['foreign', 'foreign-above']) chownSync(make(name), 12_345, 12_345)
      dropped.push(join(base, 'foreign'), make('foreign-above/bin'))
    }
    const kept = [0o755, 0o775, 0o700, 0o711].map((mode, i) => make(`own${i}`, mode))
    const set = { ...env, PATH: [...kept, ...dropped].join(':') }
    expect((await cleanProgramPath(set, cwd)).map(({ path }) => path)).toEqual(dropped)
    expect(set.PATH.split(':')).toEqual(kept)
  })
})
