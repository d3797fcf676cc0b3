#!/bin/sh
# Replaces kubectl in tests without a cluster: sends nothing, and prints the objects that kubectl would apply or create.
case "$1" in
  apply)
    if [ "$2" = --kustomize ]; then exec "$KUBECTL" kustomize "$3"; fi
    exec cat "$3"
    ;;
  create) exec "$KUBECTL" "$@" --dry-run=client --output=yaml ;;
  wait | delete | label | exec | annotate | scale) echo "$@" ;;
  *)
    echo "unexpected: $*" >&2
    exit 1
    ;;
esac
