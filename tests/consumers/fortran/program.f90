! A program that uses the module as its users do: tunes one call, and checks that the call was made.
program consumer
    use autotune
    implicit none
    type(autotune_space) :: space
    type(autotune_tuner) :: tuner
    type(autotune_options) :: options
    type(autotune_result) :: result
    integer :: used
    used = 0
    call space%axis('tile', [3, 5])
    call autotune_create(tuner, 'consumer', space)
    options%max_seconds = 0.05
    call autotune_call(tuner, options, kernel, result)
    call autotune_destroy(tuner)
    if (result%status /= AUTOTUNE_OK .or. used /= result%config%get_int('tile')) error stop 1
contains
    subroutine kernel(config)
        type(autotune_config), intent(inout) :: config
        used = config%get_int('tile')
    end subroutine
end program
