/** Returns a setting that the server puts into the page's head; empty if there is none. */
export function serverSetting(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="milepost-${name}"]`)?.content ?? '';
}

/** Returns the server's address, without a slash at the end. Behind a proxy, it may contain a path. */
export function serverAddress(): string {
  return new URL(serverSetting('root'), document.baseURI).href.replace(/\/$/, '');
}
