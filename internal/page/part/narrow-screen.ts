// Hook that tells whether the screen is narrow, as that of a phone.
import { useEffect, useState } from 'preact/hooks'

const narrowQuery = '(max-width: 48rem)'

/** Returns true up to a width of 48 rem, at which the style sheet changes too. */
export function useNarrowScreen(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(narrowQuery).matches)
  useEffect(() => {
    const query = matchMedia(narrowQuery)
    const follow = () => setNarrow(query.matches)
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  return isNarrow
}
