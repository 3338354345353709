// One headless run of an agent: opens or resumes a thread, drives the loop, reports every event.
import { budget, type Spent } from '../agent/budget.ts'
import { drive } from '../agent/drive.ts'
import type { End } from '../agent/end.ts'
import { recorder } from '../agent/recorder.ts'
import { say } from '../agent/speak.ts'
import { ulid } from '../base/ids.ts'
import { pickModel } from '../model/pick.ts'
import type { Run } from '../process/command.ts'
import { findProfile, profileServing } from '../profile/find.ts'
import type { Profile } from '../profile/profile.ts'
import type { Listed } from '../tool/catalog.ts'
import type { Ctx } from '../tool/ctx.ts'
import { buildAgent } from './agent.ts'
import { capabilities } from './capabilities.ts'
import { hooksOf } from './hooks.ts'
import { recoverDead } from './recover.ts'
import { list, narrowed, nativeEntries } from './registry.ts'
import type { RunOptions } from './run-options.ts'
import { policyOf, settingsOf } from './session.ts'
import { spawner } from './spawn.ts'
import { profilesOf, surroundings } from './surroundings.ts'
import { answerOpen, openThread } from './thread.ts'

export interface Ran {
  thread: string
  end: End
  spent: Spent
  model: string
}

export async function run(options: RunOptions): Promise<Ran> {
  const around = await surroundings(options.cwd, options.env)
  for (const note of await recoverDead(around.data)) options.note(note)
  const { config } = around.loaded
  for (const note of around.loaded.notes) options.note(note)
  const profiles = await profilesOf(around)
  const profile = findProfile(profiles, options.profile ?? config.profile)
  const pick = async (spec: string | undefined) =>
    pickModel(spec, {
      env: options.env,
      cwd: options.cwd,
      config: { model: config.model, providers: config.providers },
    })
  const { model, notice } = await pick(options.model ?? profile.model)
  if (notice !== undefined) options.note(notice)

  const resources = capabilities(around, options)
  try {
    const store = await resources.store()
    const { thread, messages, answered } = openThread(store, around.workspace, profile, model.id, options)
    const log = recorder(store, thread, `run_${ulid()}`, options.show)
    const spending = budget(options.caps)
    const entries = [...(await nativeEntries()), ...(await resources.toolbox()).entries]
    const tools = async (
      p: Profile,
      only: readonly string[] | undefined,
      child: boolean,
    ): Promise<Listed[]> =>
      narrowed(
        list(entries, {
          profile: p,
          disabled: config.tools?.disabled ?? [],
          web: config.web?.enabled ?? true,
          unavailable: new Map(),
        }),
        only,
        child,
      )
    const hooks = await hooksOf(around, {
      run: resources.can.run as Run,
      cwd: around.workspace,
      thread,
      signal: options.signal,
      warn: options.note,
    })
    const base: Ctx = {
      cwd: around.workspace,
      signal: options.signal,
      call: '',
      thread,
      policy: policyOf(options, around, profile),
      env: options.env,
      settings: settingsOf(around),
      seen: new Map(),
      log,
      ask: options.ask,
      answers: resources.answers,
      remember: resources.remember,
      around: hooks.around ? [hooks.around] : [],
      can: resources.can,
    }
    const spawn = spawner({
      ctx: base,
      thread,
      budget: spending,
      model,
      store: resources.store,
      profile: async ({ profile: name, serves }) =>
        name === undefined ? profileServing(profiles, serves) : findProfile(profiles, name),
      pickModel: async (spec) => (await pick(spec)).model,
      tools: (p, only) => tools(p, only, true),
      report: (draft) => log.append(draft),
    })
    const offered = await tools(profile, options.tools, false)
    const agent = await buildAgent({
      profile,
      model,
      tools: offered,
      ctx: { ...base, can: { ...base.can, spawn } },
      recorder: log,
      thread,
      budget: spending,
      maxTurns: options.maxTurns ?? profile.maxTurns,
      meta: { purpose: 'work' },
      inbox: options.inbox,
      now: new Date(),
    })
    await log.append({
      type: 'system.init',
      payload: {
        profile: profile.name,
        model: model.id,
        cwd: around.workspace,
        tools: agent.tools.map((tool) => tool.name),
        thread,
        ...(options.label !== undefined && { label: options.label }),
      },
    })
    await answerOpen(messages, answered, log)
    if (options.prompt !== undefined) {
      for (const draft of say(messages, { role: 'user', content: options.prompt })) await log.append(draft)
    }
    const end = await drive(agent, messages, log)
    return { thread, end, spent: spending.spent, model: model.id }
  } finally {
    await resources.close()
  }
}
