// Settings that switch a run to another profile, model, effort or mode. The possible values are loaded when a
// setting is opened.
import { h } from 'preact'
import { useState } from 'preact/hooks'
import { effortLevels, type SessionCommand } from '../../../session/commands.ts'
import type { SessionView } from '../../../session/view/session-view.ts'
import { revealText } from '../../text/shown-text.ts'
import type { SendCommand } from '../send-command.ts'
import { useRunChoices } from './use-choices.ts'

interface SettingsProps {
  view: SessionView
  send: SendCommand
  canApprove: boolean
}

export function RunSettings(props: SettingsProps) {
  const [isOpen, setOpen] = useState(false)
  const toggle = (event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)
  return h(
    'details',
    { class: 'switches', onToggle: toggle },
    h('summary', null, 'Change profile, model or mode'),
    isOpen && h(Switches, props),
  )
}

/** Modes in the order in which they are offered. */
const modes = ['ask', 'plan', 'edits', 'auto', 'unrestricted'] as const

function Switches({ view, send, canApprove }: SettingsProps) {
  const { thread, profile, model, mode, effort = '' } = view
  const { profiles, models } = useRunChoices(thread)
  return h(
    'div',
    { class: 'fields' },
    h(Switch, {
      label: 'Profile',
      value: profile,
      send,
      choices: profiles.map(toOption),
      command: (name) => ({ type: 'set_profile', name }),
    }),
    h(Switch, {
      label: 'Model',
      value: model.id,
      send,
      choices: models.map(toOption),
      command: (name) => ({ type: 'set_model', model: name }),
    }),
    h(Switch, {
      label: 'Effort',
      value: effort,
      send,
      choices: effortLevels.map((level) => ({ name: level, text: level, isUsable: true })),
      command: (level) => ({ type: 'set_effort', effort: level as (typeof effortLevels)[number] }),
    }),
    canApprove &&
      h(Switch, {
        label: 'Mode',
        value: mode,
        send,
        choices: modes.map((name) => ({ name, text: name, isUsable: true })),
        command: (name) => ({ type: 'set_mode', mode: name as (typeof modes)[number] }),
      }),
  )
}

interface SwitchOption {
  name: string
  text: string
  isUsable: boolean
}

const toOption = ({ name, unusable }: { name: string; unusable?: string }): SwitchOption => ({
  name,
  text: unusable === undefined ? name : `${name} (${unusable})`,
  isUsable: unusable === undefined,
})

interface SwitchProps {
  label: string
  value: string
  choices: readonly SwitchOption[]
  command(name: string): SessionCommand
  send: SendCommand
}

/**
 * Shows a setting. The active value is always among the choices, and is selected again if the server
 * rejects a change.
 */
function Switch({ label, value, choices, command, send }: SwitchProps) {
  const [pendingValue, setWanted] = useState<string | undefined>(undefined)
  const choose = async (event: Event) => {
    const name = (event.target as HTMLSelectElement).value
    setWanted(name)
    await send(command(name))
    setWanted(undefined)
  }
  const isKnown = choices.some(({ name }) => name === value)
  const all = isKnown
    ? choices
    : [{ name: value, text: value || 'as the profile says', isUsable: true }, ...choices]
  const options = all.map(({ name, text, isUsable }) =>
    h('option', { value: name, disabled: !isUsable }, revealText(text)),
  )
  return h('label', null, label, h('select', { value: pendingValue ?? value, onChange: choose }, options))
}
