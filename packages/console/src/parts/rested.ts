/** What is typed, as it was when the typing paused: not every letter asks the server. */
import { useEffect, useState } from 'react'

/** @param pauseMs in milliseconds */
export const useRested = (value: string, pauseMs: number): string => {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return rested
}
