// Hooks that follow properties of the screen, such as whether it is narrow, as that of a phone.
import { useEffect, useState } from 'preact/hooks'

/** Returns whether a media query matches. Renders again when that changes. */
export function useMediaQuery(query: string): boolean {
  const [doesMatch, setMatch] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const follow = () => setMatch(list.matches)
    list.addEventListener('change', follow)
    return () => list.removeEventListener('change', follow)
  }, [query])
  return doesMatch
}

/** Returns true up to a width of 48 rem, at which the style sheet changes too. */
export const useNarrowScreen = (): boolean => useMediaQuery('(max-width: 48rem)')
