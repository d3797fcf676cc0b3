/** Makes the browser save a string as a file. */
export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has read the blob by then.
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}

/** Makes a string safe for use in a file name: characters that file systems may reject become hyphens. */
export function fileName(text: string): string {
  return text.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80);
}
