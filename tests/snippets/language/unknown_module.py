# ModuleNotFoundError: No module named 'nonexistent_module'
import nonexistent_module
