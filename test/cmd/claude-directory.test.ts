// What the built program takes from .claude of a workspace: nothing before trust, then skills, agents and commands.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type World, world } from '../support/anode.ts'

let at: World
beforeEach(() => {
  at = world()
  at.put('.claude/skills/deploy/SKILL.md', '---\ndescription: Deploy: to staging\n---\nRun it.\n')
  at.put(
    '.claude/agents/helper.md',
    '---\nname: helper\ndescription: Helps.\ntools: Read\nmodel: opus\n---\nHelp.\n',
  )
  at.put('.claude/agents/craft.md', '---\nname: craft\ndescription: Not this one.\n---\nDo.\n')
  at.put('.claude/agents/smart.md', '---\nname: smart\ndescription: Not this one.\n---\nDo.\n')
  at.put('.claude/commands/git/tidy.md', 'Tidy $ARGUMENTS up.\n')
  at.put('.anode/commands/plain.md', 'Plain.\n')
})
afterEach(() => at.remove())

async function pin() {
  const { out } = await at.anode(['trust', '--status', '--json'])
  const { digest } = JSON.parse(out)
  const file = join(at.dir, '..', '.config', 'anode', 'trusted.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ '*': [digest] }))
}
const names = async (verb: string) => {
  const { out } = await at.anode([verb, 'list', '--json'])
  return (JSON.parse(out) as { name: string }[]).map(({ name }) => name)
}

it('is listed by trust and has no effect before it', async () => {
  const { out } = await at.anode(['trust', '--status'])
  for (const file of ['skills/deploy/SKILL.md', 'agents/helper.md', 'commands/git/tidy.md'])
    expect(out).toContain(`.claude/${file}`)
  expect(await names('skills')).not.toContain('deploy')
  expect(await names('skills')).not.toContain('git-tidy')
  expect(await names('profiles')).not.toContain('helper')
})

it('counts once the workspace is trusted, and never takes the place of a profile', async () => {
  await pin()
  expect(await names('skills')).toEqual(expect.arrayContaining(['deploy', 'git-tidy', 'plain']))
  expect(await names('profiles')).toContain('helper')
  const shown = await at.anode(['skills', 'show', 'git-tidy', '--input', 'the index'])
  expect(shown.out).toContain('Tidy the index up.')
  const helper = await at.anode(['profiles', 'show', 'helper', '--json'])
  expect(helper.out).toContain('look_at')
  expect(helper.out).not.toContain('bash')
  const craft = await at.anode(['profiles', 'show', 'craft', '--json'])
  expect(craft.out).not.toContain('Not this one')
  const { out } = await at.anode(['doctor'])
  expect(out).toMatch(/helper\.md: the model "opus" is ignored/)
  expect(out.match(/is taken by a profile/g)).toHaveLength(2)
})
