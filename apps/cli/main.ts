#!/usr/bin/env node
console.log('milepost', process.version);
