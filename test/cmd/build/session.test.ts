// `/build` in a session: the plan of a goal or a file, its approval and edits, the build, and its status.
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { world } from '../../support/anode.ts'
import { planText, putModules, renameTask } from '../../support/build.ts'
import { git } from '../../support/repo.ts'
import { anodeLine, hasTmux, openTerminal } from '../../support/tmux.ts'
import { untilAnswerable } from '../../support/waiting.ts'

const taskText = (id: string) =>
  `  - id: ${id}\n    do: Rename oldName in src/${id}.\n    scope: ["src/${id}/**"]\n`
const plan = `until: ["node test/all.test.js"]\ntasks:\n${taskText('a')}${taskText('b')}`
const rename = (id: string) => {
  const args = { path: `src/${id}/index.js`, old_str: 'oldName', new_str: 'newName', replace_all: true }
  return [
    { task: id, calls: [{ name: 'edit_file', args }] },
    { task: id, text: 'Renamed.' },
  ]
}
/** Makes the scope of task b invalid, and valid again with the next edit. */
const editor = `grep -q 'lib/' "$1" && sed -i 's#lib/#src/b/#' "$1" || sed -i 's#src/b/#lib/#' "$1"\n`

function begin(screen: 'inline' | 'plain') {
  const at = world()
  onTestFinished(() => at.remove())
  putModules(at, ['a', 'b'])
  const replies = [{ task: 'plan', text: `\`\`\`yaml\n${plan}\`\`\`` }, ...rename('a'), ...rename('b')]
  at.put('../script.jsonl', replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  at.put('../plan.json', planText(['a', 'b'].map((id) => renameTask(id))))
  at.put('../edit.sh', editor)
  const home = join(at.dir, '..')
  const terminal = openTerminal(anodeLine('--model', `script:${join(home, 'script.jsonl')}`), {
    cwd: at.dir,
    env: {
      ...{ HOME: home, ANODE_DATA_DIR: at.data, ANODE_SCREEN: screen, TMPDIR: home },
      ...{ XDG_CONFIG_HOME: join(home, 'config'), EDITOR: `sh ${join(home, 'edit.sh')}` },
    },
    rows: 50,
    columns: 100,
  })
  const say = (text: string) => {
    terminal.paste(text)
    terminal.press('Enter')
  }
  const branches = () => git(at.dir, 'branch', '--list', 'anode/*')
  return { at, terminal, say, branches }
}

describe.runIf(hasTmux())('/build', () => {
  it('is in the menu, starts an edited plan, shows its status, and merges it', async () => {
    const { at, terminal, say, branches } = begin('inline')
    await terminal.until(/script\.jsonl/)
    terminal.paste('/bui')
    await terminal.until(/> \/build +parallel agents/)
    say('ld Rename oldName to newName')
    await terminal.until(/Start this build\?[\s\S]*# estimated cost: [\s\S]*- id: a[\s\S]*y start it/)
    terminal.press('e')
    await terminal.until(
      /Edit it again\?[\s\S]*plan\.yaml:\d+: scope "lib\/\*\*" of task "b" matches no file/,
    )
    expect(branches()).toBe('')
    terminal.press('e')
    await terminal.until(/Start this build\?[\s\S]*src\/b\/\*\*[\s\S]*y start it/)
    terminal.press('y')
    await terminal.until(/build 01\w{24} {2}done {2}2 of 2 merged/)
    expect(terminal.lines()).toMatch(/a {2}running {2}attempt 1/)
    await terminal.until(/\? help/)
    say('/build merge')
    await terminal.until(/main is at [0-9a-f]{10} \(2 more\)/)
    expect(git(at.dir, 'show', 'main:src/b/index.js')).toContain('newName')
    say('/build status')
    await terminal.until((text) => (text.match(/done {2}2 of 2 merged/g) ?? []).length === 2)
    // the planner and the tasks are one build
    const builds = JSON.parse((await at.anode(['build', 'list', '--json'])).out)
    expect(builds).toMatchObject([{ end: 'done', tasks: [{}, {}] }])
    expect(builds[0].tokens).toBeGreaterThan(builds[0].tasks[0].tokens + builds[0].tasks[1].tokens)
    terminal.press('C-d')
    expect(await terminal.exit(), terminal.lines()).toBe(0)
  })

  it('stays in the input if another command still runs', async () => {
    const { terminal, say } = begin('inline')
    await terminal.until(/script\.jsonl/)
    say('/doctor')
    await terminal.until(/doctor {2}[\d.]+ m?s {2}Esc stops/)
    say('/tools show read')
    // on a busy machine the first command may have ended
    await terminal.until(/\/tools show read[\s\S]*\/doctor still runs; Esc stops it|First line to show/)
    await terminal.until((text) => !/doctor {2}[\d.]+ m?s {2}Esc stops/.test(text))
    terminal.press('Enter')
    await terminal.until(/First line to show/)
  })

  it('starts the plan of a file on a screen of lines, and reports an invalid one', async () => {
    const { terminal, say, branches } = begin('plain')
    await terminal.until(/script\.jsonl/)
    say('/build --plan ../none.yaml')
    await terminal.until(/cannot read \.\.\/none\.yaml/)
    say('/build --plan ../plan.json --workers 2')
    await terminal.until(/Start this build\?[\s\S]*answer with a number: 1 start it/)
    await untilAnswerable('line')
    expect(branches()).toBe('')
    say('1')
    await terminal.until(/2 of 2 merged[\s\S]*\/build is done/)
    expect(branches()).toMatch(/anode\/build\/01/)
    terminal.press('C-d')
    expect(await terminal.exit(), terminal.lines()).toBe(0)
  })
})
