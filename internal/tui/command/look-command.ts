// The commands that change the form and the colors of the screen.
import { openPickerDialog } from '../inline/dialogs.ts'
import { type InlineState, lookOf, showHint } from '../inline/inline-state.ts'
import { themeAbout, themes } from '../view/themes.ts'

/**
 * Switches to the form of screen with this name, or without a name to the other form. An unknown name only
 * shows a hint.
 */
export function setForm(state: InlineState, name: string): void {
  const form = name === '' ? (state.display.form === 'full' ? 'inline' : 'full') : name
  if (form !== 'inline' && form !== 'full') {
    showHint(state, `unknown form "${form}"; use inline or full (plain only at the start)`)
    return
  }
  state.display.form = form
  state.screen.changed(true)
}

/**
 * Sets the color theme of this screen, or lets the user pick one if `name` is empty. An unknown name only
 * shows a hint. The setting `ui.theme` makes a theme permanent.
 */
export function setTheme(state: InlineState, name: string): void {
  const named = themes.find((theme) => theme === name)
  if (named) {
    state.display.theme = named
    state.display.wide = lookOf(state.screen.io, state.display.size.columns, named)
    state.screen.changed(true)
  } else if (name === '') {
    const items = themes.map((theme) => ({ value: theme, label: theme, about: themeAbout[theme] }))
    openPickerDialog(state, 'Theme', items, (theme) => setTheme(state, theme), {
      current: state.display.theme,
    })
  } else showHint(state, `unknown theme "${name}"; themes: ${themes.join(', ')}`)
}
