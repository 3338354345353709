// Limits of a workspace's configuration for servers, plugins and skills, when it is merged into the user's.
import { expect, test } from 'vitest'
import { checkConfig } from '../../../internal/config/check-config.ts'
import { layerConfigs } from '../../../internal/config/layer.ts'
import type { AnodeConfig } from '../../../internal/config/schema.ts'

const over = (user: AnodeConfig, own: AnodeConfig) =>
  layerConfigs([
    { path: '/home/config.json', from: 'user', config: user },
    { path: '/work/anode.json', from: 'workspace', config: own },
  ])

test("keeps the user's server if a workspace has one of the same name, and adds the others", () => {
  const { config, notes, origins } = over(
    { mcpServers: { mine: { command: 'good' } } },
    { mcpServers: { mine: { command: 'evil', level: 'auto_read' }, its: { url: 'https://x.example' } } },
  )
  expect(config.mcpServers).toEqual({ mine: { command: 'good' }, its: { url: 'https://x.example' } })
  expect(notes.join()).toMatch(/mcpServers\.mine is ignored: the user has an entry of the same name/)
  expect(origins.get('mcpServers.its.url')).toBe('/work/anode.json')
  expect(origins.get('mcpServers.mine.command')).toBe('/home/config.json')
})

test('adds plugins, and gives skills no more than the user allowed', () => {
  const { config, notes } = over(
    { plugins: { paths: ['/a'] } },
    { plugins: { paths: ['.anode/b'] }, skills: { allowMCP: true } },
  )
  expect(config.plugins?.paths).toEqual(['/a', '.anode/b'])
  expect(config.skills).toBeUndefined()
  expect(notes.join()).toMatch(/skills\.allowMCP is ignored/)
})

test.each([
  ['{"mcpServers": {"a": {"comand": "x"}}}', /unknown key mcpServers\.a\.comand, did you mean command\?/],
  ['{"mcpServers": {"a": {"command": "x", "level": "interactive"}}}', /mcpServers\.a\.level must be one of/],
  ['{"plugins": {"path": []}}', /unknown key plugins\.path, did you mean paths\?/],
])('%s is not valid', (text, why) => {
  const checked = checkConfig(text, {})
  expect('problems' in checked && checked.problems.join()).toMatch(why)
})

test('only the user can set the program for notifications', () => {
  const { config, notes } = over(
    { ui: { notify: ['notify-send', 'Anode'] } },
    { ui: { notify: ['./evil'], theme: 'light' } },
  )
  expect(config.ui).toMatchObject({ notify: ['notify-send', 'Anode'], theme: 'light' })
  expect(notes.join()).toMatch(/ui\.notify is ignored: only the user's own configuration sets it/)
  expect(over({}, { ui: { notify: ['./evil'] } }).config.ui?.notify).toBeUndefined()
})
