/** Light or dark: what the system says, unless the administrator chose. */
export type Theme = 'system' | 'light' | 'dark'
const KEY = 'console.theme'

export const chosenTheme = (): Theme => {
  const theme = localStorage.getItem(KEY)
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Shows the theme. */
export const applyTheme = (theme = chosenTheme()): void => {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** Keeps the choice, and shows it. */
export const chooseTheme = (theme: Theme): void => {
  localStorage.setItem(KEY, theme)
  applyTheme(theme)
}
