/** Whether what is shown may be changed: a form says it once, and every part of it that holds a value asks here. */
import { createContext, useContext } from 'react'

export const ReadOnly = createContext(false)

/** @param isReadOnly of this part alone */
export const useReadOnly = (isReadOnly = false): boolean => useContext(ReadOnly) || isReadOnly
