import { preference, setPreference } from './preferences.ts'

export const themes = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

function applyTheme(): void {
  const theme = preference('theme')
  const dark = theme === 'dark' || (theme !== 'light' && systemIsDark.matches)
  document.documentElement.classList.toggle('dark', dark)
  document.documentElement.classList.toggle('light', !dark)
  // The color of the window frame around the installed app.
  const canvas = getComputedStyle(document.body).backgroundColor
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', canvas)
}

export function startTheme(): void {
  systemIsDark.addEventListener('change', applyTheme)
  // Another tab may have changed the theme.
  window.addEventListener('storage', applyTheme)
  applyTheme()
}

export function chooseTheme(theme: string): void {
  setPreference('theme', theme)
  applyTheme()
}
