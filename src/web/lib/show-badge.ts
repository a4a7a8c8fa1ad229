/** Shows the number of open tasks on the icon of the installed app, if supported. */
export function showBadge(open: number): void {
  if (!('setAppBadge' in navigator)) return
  void (open > 0 ? navigator.setAppBadge(open) : navigator.clearAppBadge()).catch(() => undefined)
}
